"""Mistakes of the user as an exception with parts."""


class InputError(ValueError):
    """A mistake in a problem or in the arguments of a call. Parts that do not apply are empty or 0.

    >>> import pecann
    >>> try:
    ...     pecann.Problem.parse("title = 'A range is two numbers'\\ncoordinates = { x = 1 }")
    ... except pecann.InputError as error:
    ...     print(error.line, error.key)
    2 coordinates.x
    """

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0, key: str = "", value: str = "",
                 rule: str = "", hint: str = ""):
        super().__init__(message, file, line, column, key, value, rule, hint)
        self.file, self.line, self.column = file, line, column
        self.key, self.value, self.rule, self.hint = key, value, rule, hint

    def __str__(self) -> str:
        return self.args[0]
