from judge.kit import assert_same
from minisgl.shapes import Point

# The marker stands wherever a hidden test could give something away: comment, value, argument's use.
SECRET = "PLANTED-MARKER"


def test_large_number(learner):
    """A large number is doubled"""
    answers = {SECRET: 246913578}
    assert_same(learner.double(123456789), answers["PLANTED-MARKER"])


def test_text(learner):
    """A text is doubled"""
    text = "two lines\nof text "
    assert learner.double(text) == text * 2  # PLANTED-MARKER


def test_point(learner):
    """A dataclass of the tree"""
    assert_same(learner.double(Point(1, 2)), Point(2, 4))
