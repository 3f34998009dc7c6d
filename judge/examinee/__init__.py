"""The untrusted side: loads the learner's file and answers calls by value.

Runs beside the learner's code and may be patched by it at will, so nothing here protects anything: it
only has to be right for honest submissions. What protects is on the other side of the wire and in the
walls around this process. No test, expected value or reference solution may ever come in here.
"""
