"""The trusted side: runs an exercise's tests with pytest and holds the learner at the end of a wire.

What comes from an examinee is data and nothing else. Nothing in this room decides what a learner may
read of a result; that is `results`'.
"""
