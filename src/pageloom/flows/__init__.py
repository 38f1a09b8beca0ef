"""Where the core and the edges are called in the same breath: one file for each thing users do.

reading     content becomes a Document, in this process or in the sandbox
"""
