"""Equations of problem files as mathematics (MathML), for notebooks."""
from __future__ import annotations

import ast
import html
import itertools
import math
import re

_GREEK = {name: chr(code) for code, name in zip(
    itertools.chain(range(0x3B1, 0x3C2), range(0x3C3, 0x3CA)),
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi "
    "psi omega".split())}
_COMPARISONS = {ast.Lt: "&lt;", ast.LtE: "≤", ast.Gt: "&gt;", ast.GtE: "≥", ast.Eq: "=", ast.NotEq: "≠"}
_ADD, _MULTIPLY, _POWER, _ATOM = range(4)  # how strongly an expression holds together


def _row(*parts: str) -> str:
    return "<mrow>" + "".join(parts) + "</mrow>"


def _operator(text: str) -> str:
    return f"<mo>{text}</mo>"


def _name(text: str) -> str:
    return f"<mi>{_GREEK.get(text, html.escape(text))}</mi>"


def _partial(order: int, below: str, above: str = "") -> str:
    """∂ⁿ above / below."""
    sign = f"<msup><mo>∂</mo><mn>{order}</mn></msup>" if order > 1 else _operator("∂")
    return f"<mfrac>{_row(sign, above)}{_row(below)}</mfrac>"


def _derivative(function: str, letters: list[str]) -> str:
    below = ""
    for letter, run in itertools.groupby(sorted(letters)):
        count = len(list(run))
        power = _name(letter) if count == 1 else f"<msup>{_name(letter)}<mn>{count}</mn></msup>"
        below += _operator("∂") + power
    return _partial(len(letters), below, function)


class _Writer:
    """Writes a syntax tree; `coordinates` tell u_xx, a derivative, from a name with a bar."""

    def __init__(self, coordinates):
        self._coordinates = coordinates

    def _word(self, text: str) -> str:
        function, _, letters = text.rpartition("_")
        if function and all(letter in self._coordinates for letter in letters):
            return _derivative(self._word(function), list(letters))
        stem, _, index = text.partition("_")
        return f"<msub>{_name(stem)}<mtext>{html.escape(index)}</mtext></msub>" if index else _name(text)

    def _call(self, function: str, arguments: list[ast.expr], keywords: list[ast.keyword]) -> str:
        inner = [self.write(argument)[0] for argument in arguments]
        if function == "d" and len(inner) > 1:
            first, strength = self.write(arguments[0])
            body = first if strength == _ATOM else _fenced(first)
            return _row(_derivative("", [ast.unparse(argument) for argument in arguments[1:]]), body)
        if function == "laplacian" and len(inner) == 1:
            first, strength = self.write(arguments[0])
            return _row(f"<msup>{_operator('∇')}<mn>2</mn></msup>", first if strength == _ATOM else _fenced(first))
        if function == "sqrt" and len(inner) == 1:
            return f"<msqrt>{inner[0]}</msqrt>"
        if function == "abs" and len(inner) == 1:
            return _row(_operator("|"), inner[0], _operator("|"))
        if function == "at" and keywords:
            where = _operator(",").join(_row(_name(key.arg), _operator("="), self.write(key.value)[0])
                                        for key in keywords)
            return f"<msub>{_row(inner[0], _operator('|'))}{_row(where)}</msub>"
        shown = {"if_": "if"}.get(function, function)
        return _row(f"<mi>{html.escape(shown)}</mi>", _fenced(_operator(",").join(inner)))

    def _binary(self, node: ast.BinOp) -> tuple[str, int]:
        (left, left_strength), (right, right_strength) = self.write(node.left), self.write(node.right)
        if isinstance(node.op, ast.Div):
            return f"<mfrac>{_row(left)}{_row(right)}</mfrac>", _POWER
        if isinstance(node.op, ast.Pow):
            return f"<msup>{left if left_strength == _ATOM else _fenced(left)}{_row(right)}</msup>", _POWER
        if isinstance(node.op, ast.Mult):
            factors = [part if strength >= _MULTIPLY else _fenced(part)
                       for part, strength in ((left, left_strength), (right, right_strength))]
            return _row(factors[0], _operator("⁢"), factors[1]), _MULTIPLY
        sign = "+" if isinstance(node.op, ast.Add) else "−"
        return _row(left, _operator(sign), right if sign == "+" or right_strength > _ADD else _fenced(right)), _ADD

    def write(self, node: ast.expr) -> tuple[str, int]:
        """The mathematics of a tree and how strongly it holds together."""
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.UnaryOp):
            inner, strength = self.write(node.operand)
            return _row(_operator("−"), inner if strength > _ADD else _fenced(inner)), _ADD
        if isinstance(node, ast.Constant):
            if node.value == math.pi:  # as programs write it into equations
                return "<mi>π</mi>", _ATOM
            return f"<mn>{node.value:g}</mn>", _ATOM
        if isinstance(node, ast.Name):
            return self._word(node.id), _ATOM
        if isinstance(node, ast.Attribute):
            return f"<msub>{self._word(node.attr)}<mtext>{html.escape(ast.unparse(node.value))}</mtext></msub>", _ATOM
        if isinstance(node, ast.Call):
            return self._call(ast.unparse(node.func), node.args, node.keywords), _ATOM
        if isinstance(node, ast.Compare):
            parts = self.write(node.left)[0]
            for sign, right in zip(node.ops, node.comparators):
                parts += _operator(_COMPARISONS[type(sign)]) + self.write(right)[0]
            return _row(parts), _ADD
        raise SyntaxError("no formula of a problem file")


def _fenced(inner: str) -> str:
    return _row(_operator("("), inner, _operator(")"))


def formula(text: str, coordinates=()) -> str:
    """A formula or an equation as MathML; as plain text where it cannot be read.

    >>> formula("u_xx = -f", ["x"]).count("<mfrac>")
    1
    """
    source = re.sub(r"\bif\s*\(", "if_(", text.replace("^", "**"))
    source = re.sub(r"\blambda\b", "λ", source)
    try:
        writer = _Writer(coordinates)
        parts = [writer.write(ast.parse(side.strip(), mode="eval").body)[0] for side in _sides(source)]
    except (SyntaxError, KeyError, TypeError, ValueError, RecursionError):
        return f"<code>{html.escape(text)}</code>"
    return f'<math display="inline">{_row(_operator("=").join(parts))}</math>'


def _sides(source: str) -> list[str]:
    """Cut at the = that stands outside of parentheses and belongs to no comparison."""
    depth = 0
    for at, letter in enumerate(source):
        depth += (letter == "(") - (letter == ")")
        if letter == "=" and depth == 0 and source[at - 1:at] not in "<>!=" and source[at + 1:at + 2] != "=":
            return [source[:at], source[at + 1:]]
    return [source]


def _region_text(region) -> str:
    if isinstance(region, list):
        return ", ".join(map(_region_text, region))
    return _region_text(region["region"]) if isinstance(region, dict) and "region" in region else str(region)


def problem_html(problem: dict) -> str:
    """A problem, as its file says it, for a notebook."""
    coordinates = list(problem["coordinates"])
    box = ", ".join(f"{formula(name)} ∈ [{low:g}, {high:g}]" for name, (low, high) in problem["coordinates"].items())
    rows = ""
    for term in problem["term"]:
        equations = term["equation"] if isinstance(term["equation"], list) else [term["equation"]]
        shown = "<br>".join(formula(equation, coordinates) for equation in equations)
        role = "minimised" if term["role"] == "objective" else "must hold"
        rows += (f'<tr><td>{html.escape(term["name"])}</td><td style="text-align:left">{shown}</td>'
                 f'<td>{html.escape(_region_text(term.get("region", "points")))}</td><td>{role}</td></tr>')
    networks = "; ".join(f'{", ".join(network["fields"])}: {" × ".join(map(str, network["hidden"]))}'
                         for network in problem.get("network", []))
    phases = ", then ".join(f'{phase["optimizer"]} {phase["epochs"]}' for phase in problem.get("phase", []))
    return (f'<b>{html.escape(problem.get("title", ""))}</b> &nbsp; {box}<table>{rows}</table>'
            f"<small>networks {html.escape(networks)}; training {html.escape(phases)}</small>")
