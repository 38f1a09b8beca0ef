"""RabbitMQ: a line that is held for ever, queues that lose nothing, letters that nobody could use."""
