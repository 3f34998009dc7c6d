# /// expect
# verdicts = ["error"]
# message = 'never closed.*\n\t\treturn \(value\n\t\t +\^'
# tests = 0
# ///
def double(value):
	if True:
		return (value
