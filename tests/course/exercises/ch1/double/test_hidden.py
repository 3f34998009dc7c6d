import pytest

from judge.kit import assert_same, check
from minisgl.shapes import Point


def test_secret_number(learner):
    """A large number is doubled"""
    assert_same(learner.double(123456789), 246913578)


def test_refuses_none(learner):
    """None is refused"""
    with learner.raises(TypeError, match="None"):
        learner.double(None)


@pytest.mark.parametrize("value", [0, -1, 0.5, "ab"])
def test_cases(sender, receiver, value):
    """Several kinds of values"""
    assert_same(sender.double(value), receiver.double(value))
    check(sender.double(value) == value * 2, en="Some kinds are wrong.", zh="有些情况不对。")


def test_point(learner):
    """A dataclass of the tree"""
    assert_same(learner.double(Point(1, 2)), Point(2, 4))
