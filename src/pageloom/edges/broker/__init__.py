"""RabbitMQ: a connection that is held for ever, queues that lose nothing, and dead letters."""
