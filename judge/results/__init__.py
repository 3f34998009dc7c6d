"""From the examiner's findings to what a learner may read: test results, explanations, the verdict.

Pure: plain values in, plain values out, so that a judge and a page conclude alike. This room never runs
anything, and it is the only one that decides what is left out of a hidden test's result.
"""
