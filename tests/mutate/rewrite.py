"""Rewrites the library's headers so that one program holds all mutants.

Each mutated place asks at run time whether its mutant is the chosen one: SYCLZE__MUTANT(n), of
mutant.h. Lines keep their numbers. Only bodies of C functions are mutated: no macros, no parts for
C++, Windows or the debug checker.
"""
import re

OPERATORS = {
    "negate": "a condition is its opposite",
    "operand": "one side of && or || has no say",
    "bound": "a comparison is off by one",
    "number": "a number is off by one",
    "boolean": "true is false",
    "delete": "a statement is left out",
    "leave": "a break or continue is left out",
    "success": "a result is success",
    "lock": "a lock is not taken in a function",
    "order": "an atomic access is relaxed",
}


def blank(text):
    """The same text with comments, strings and directives blanked, and the parts not compiled."""
    def spaces(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', spaces, text,
                  flags=re.S)
    lines, out, stack, continued = text.split("\n"), [], [], False
    for line in lines:
        directive = continued or line.lstrip().startswith("#")
        if directive and not continued:
            word = re.match(r"\s*#\s*(\w*)\s*(.*)", line)
            kind, condition = word.group(1), word.group(2)
            off = re.search(r"__cplusplus|_WIN32|SYCLZE_CHECK\b", condition) is not None
            if kind in ("if", "ifdef"):
                # True for what is not compiled, None where its #else is not.
                stack.append(off or (None if condition.startswith("SYS_") else False))
            elif kind == "ifndef":
                stack.append(False)
            elif kind in ("else", "elif") and stack:
                stack[-1] = stack[-1] is None if kind == "else" else off
            elif kind == "endif" and stack:
                stack.pop()
        continued = directive and line.rstrip().endswith("\\")
        out.append(" " * len(line) if directive or any(stack) else line)
    return "\n".join(out)


def bodies(text):
    """The ranges of function bodies: braces at depth zero behind a parenthesis."""
    found, depth, begin = [], 0, None
    for i, c in enumerate(text):
        if c == "{":
            if depth == 0:
                before = text[:i].rstrip()
                begin = i if before.endswith(")") else None
            depth += 1
        elif c == "}":
            depth -= 1
            if depth == 0 and begin is not None:
                found.append((begin, i))
    return found


def closing(text, at):
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i
    return len(text) - 1


def extent(text, at, begin, end, stops):
    """The operand around a position, up to one of the stops at its depth."""
    left, depth = at, 0
    while left > begin:
        c = text[left - 1]
        if c in ")]}":
            depth += 1
        elif c in "([{":
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and (c in stops or text[left - 2:left] in ("&&", "||") or
                             re.search(r"\breturn $", text[left - 7:left] + " ")):
            break
        left -= 1
    right, depth = at, 0
    while right < end:
        c = text[right]
        if c in "([{":
            depth += 1
        elif c in ")]}":
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and (c in stops or text[right:right + 2] in ("&&", "||")):
            break
        right += 1
    return left, right


class Rewriter:
    def __init__(self, path, text, first):
        self.path, self.text, self.next = path, text, first
        self.shadow = blank(text)
        self.mutants, self.wraps = [], []

    def mutant(self, operator, at):
        number = self.next
        self.next += 1
        line = self.text.count("\n", 0, at) + 1
        self.mutants.append((number, self.path, line, operator,
                             self.text.split("\n")[line - 1].strip()))
        return number

    def wrap(self, begin, end, before, after, number):
        self.wraps.append((begin, end, before, after, number))

    def trimmed(self, begin, end):
        while begin < end and self.shadow[begin].isspace():
            begin += 1
        while end > begin and self.shadow[end - 1].isspace():
            end -= 1
        return begin, end

    def negate(self, begin, end):
        begin, end = self.trimmed(begin, end)
        n = self.mutant("negate", begin)
        self.wrap(begin, end, "(!!(", ") ^ SYCLZE__MUTANT(%d))" % n, n)

    def conditions(self, begin, end):
        s = self.shadow
        for match in re.finditer(r"\b(?:if|while) ?\(", s[begin:end]):
            at = begin + match.end() - 1
            self.negate(at + 1, closing(s, at))
        for match in re.finditer(r"(?:\breturn|[^=!<>]=) ([^;{]*?);", s[begin:end]):
            value, depth = match.group(1), 0
            for c in value:
                depth += (c == "(") - (c == ")")
                if depth < 0:
                    break
            if depth < 0:
                continue
            flat = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", re.sub(r"\([^()]*\)", "", value))
            if "?" not in flat and re.search(r"==|!=|&&|\|\||[^-<>]>[^>]|[^<]<[^<]", flat):
                self.negate(begin + match.start(1), begin + match.end(1))

    def operands(self, begin, end):
        s, seen = self.shadow, set()
        for match in re.finditer(r"&&|\|\|", s[begin:end]):
            for at in (begin + match.start() - 1, begin + match.end()):
                a, b = extent(s, at, begin, end, ",;?:")
                a, b = self.trimmed(a, b)
                inner = s[a:b]
                assigned = re.match(r"[\w\s*>.\-\[\]]*[^=!<>]=\s+", inner)
                if assigned:
                    a += assigned.end()
                if a >= b or (a, b) in seen:
                    continue
                seen.add((a, b))
                n = self.mutant("operand", a)
                after = ") || SYCLZE__MUTANT(%d))" if match.group(0) == "&&" else \
                    ") && !SYCLZE__MUTANT(%d))"
                self.wrap(a, b, "((", after % n, n)

    def bounds(self, begin, end):
        for match in re.finditer(r" (<=|>=|<|>) ", self.shadow[begin:end]):
            at = begin + match.end()
            n = self.mutant("bound", at)
            sign = "" if match.group(1) in ("<", ">=") else "-"
            self.wrap(at, at, "%sSYCLZE__MUTANT(%d) + " % (sign, n), "", n)

    def numbers(self, begin, end):
        for match in re.finditer(r"(?<![\w.{])(\d+)[uUlL]*(?![\w.}])", self.shadow[begin:end]):
            a, b = begin + match.start(), begin + match.end()
            n = self.mutant("number", a)
            sign = "-" if match.group(1) == "1" else "+"
            self.wrap(a, b, "(", " %s SYCLZE__MUTANT(%d))" % (sign, n), n)
        for match in re.finditer(r"\b(?:true|false)\b", self.shadow[begin:end]):
            a, b = begin + match.start(), begin + match.end()
            n = self.mutant("boolean", a)
            self.wrap(a, b, "(", " ^ SYCLZE__MUTANT(%d))" % n, n)

    def statements(self, begin, end):
        s = self.shadow
        for match in re.finditer(r"(?:[;{}]|\)|\belse)(\s*)(?=[A-Za-z_*(])", s[begin:end]):
            a = begin + match.end()
            if s[begin + match.start()] == ")" and not self.is_control(begin + match.start()):
                continue
            b = a
            while b < end and s[b] != ";":
                b = closing(s, b) if s[b] in "([{" else b
                b += 1
            b += 1
            text = s[a:b]
            if re.match(r"(break|continue);", text):
                n = self.mutant("leave", a)
            elif self.is_action(text):
                n = self.mutant("delete", a)
            else:
                continue
            self.wrap(a, b, "{ if (!SYCLZE__MUTANT(%d)) " % n, " }", n)

    def is_control(self, at):
        depth = 0
        for i in range(at, -1, -1):
            depth += (self.shadow[i] == ")") - (self.shadow[i] == "(")
            if depth == 0:
                return re.search(r"\b(if|while|for) ?$", self.shadow[max(0, i - 7):i]) is not None
        return False

    @staticmethod
    def is_action(text):
        if re.match(r"(return|if|else|for|while|do|switch|case|default|goto|static|const|struct|"
                    r"enum|break|continue|sizeof|typedef|_Static_assert|SYCLZE__TRACE\w*)\b", text):
            return False
        if "{" in text or re.match(
                r"syclze__lock_(acquire|release)|pthread_mutex_(un)?lock|SYCLZE__(?!ZE)[A-Z]", text):
            return False
        if re.match(r"[\w]+ ?\(.*\);$|SYCLZE__ZE\(\w+\)\s*\(.*\);$", text, flags=re.S):
            return True
        return re.match(r"[*(]?[\w>.\-\[\]()*+]+( [-+|&^]?= |\+\+;|--;)", text) is not None

    def results(self, begin, end):
        head = self.shadow[:begin]
        head = head[max(head.rfind(";"), head.rfind("}")) + 1:]
        if not re.search(r"\bze_result_t\s+\w+\s*\(", head):
            return
        for match in re.finditer(r"\breturn ([^;]+);", self.shadow[begin:end]):
            if match.group(1).strip() == "ZE_RESULT_SUCCESS":
                continue
            a, b = begin + match.start(1), begin + match.end(1)
            if self.shadow[:begin + match.start()].rstrip(" )\n").endswith(
                    match.group(1) + " == ZE_RESULT_SUCCESS"):
                continue  # is success there
            n = self.mutant("success", a)
            self.wrap(a, b, "SYCLZE__MUTANT(%d) ? ZE_RESULT_SUCCESS : (" % n, ")", n)

    def locks(self, begin, end):
        s, groups = self.shadow, {}
        if "pthread_cond_wait" in s[begin:end] or "_doze" in s[begin:end]:
            return
        pattern = r"\b(?:syclze__lock_(?:acquire|release)|pthread_mutex_(?:un)?lock)\(([^;]*)\);"
        for match in re.finditer(pattern, s[begin:end]):
            groups.setdefault(match.group(1), []).append(match)
        for matches in groups.values():
            if len(matches) < 2:
                continue
            n = self.mutant("lock", begin + matches[0].start())
            for match in matches:
                self.wrap(begin + match.start(), begin + match.end(),
                          "{ if (!SYCLZE__MUTANT(%d)) " % n, " }", n)

    def orders(self, begin, end):
        """Whole calls, written twice; returns their ranges, in which nothing else is mutated."""
        ranges = []
        for match in re.finditer(r"\b__atomic_\w+\(", self.shadow[begin:end]):
            a = begin + match.start()
            b = closing(self.shadow, begin + match.end() - 1) + 1
            call = self.text[a:b]
            if not re.search(r"__ATOMIC_(ACQUIRE|RELEASE|ACQ_REL|SEQ_CST)", call):
                continue
            if any(x <= a < y for x, y in ranges):
                continue
            relaxed = re.sub(r"__ATOMIC_(ACQUIRE|RELEASE|ACQ_REL|SEQ_CST)", "__ATOMIC_RELAXED", call)
            relaxed = re.sub(r"\s+", " ", relaxed)
            n = self.mutant("order", a)
            self.wrap(a, b, "(SYCLZE__MUTANT(%d) ? %s : " % (n, relaxed), ")", n)
            ranges.append((a, b))
        return ranges

    def scan(self):
        for begin, end in bodies(self.shadow):
            begin += 1
            atomic = self.orders(begin, end)
            kept = self.shadow
            for match in re.finditer(r"\b(?:static|enum|struct) [^;(]*\{|\bstatic ", kept[begin:end]):
                a = b = begin + match.start()
                while kept[b] != ";":
                    b = closing(kept, b) if kept[b] in "([{" else b
                    b += 1
                self.shadow = self.shadow[:a] + re.sub(r"[^\n]", " ", kept[a:b]) + self.shadow[b:]
            # A constant that the compiler knows chooses between two ways with one result; and what
            # asserts is no part of what is tested.
            for match in re.finditer(
                    r"\b(?:__builtin_constant_p|SYCLZE__ASSERT|SYCLZE__HELD)\(", kept[begin:end]):
                a = begin + match.start()
                atomic.append((a, closing(kept, begin + match.end() - 1) + 1))
            for a, b in atomic:
                self.shadow = self.shadow[:a] + re.sub(r"[^\n()]", "x", self.shadow[a:b]) + \
                    self.shadow[b:]
            self.locks(begin, end)
            self.statements(begin, end)
            self.conditions(begin, end)
            self.operands(begin, end)
            self.bounds(begin, end)
            self.numbers(begin, end)
            self.results(begin, end)
            self.shadow = kept
        return self.next

    def write(self, dropped):
        """The text with all mutants but the dropped ones."""
        pieces = []
        for order, (begin, end, before, after, number) in enumerate(self.wraps):
            if number in dropped:
                continue
            pieces.append((begin, 1, -end, order, before))
            if after:
                pieces.append((end, 0, -begin, -order, after))
        out, last = [], 0
        for piece in sorted(pieces):
            out.append(self.text[last:piece[0]])
            out.append(piece[4])
            last = piece[0]
        out.append(self.text[last:])
        return "".join(out)
