from judge.kit import assert_same


def test_number(learner):
    """A number is doubled"""
    assert_same(learner.double(4), 8)
