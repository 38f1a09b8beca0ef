"""What the messages of the workers say, and what each leads to in the library.

The workers themselves (``apps/agents``) read a queue, call one function of this folder, and write
what follows to the next queues.
"""
