"""requirements.txt holds what is imported here, and nothing that nobody uses."""

import ast
import re
import sys
from importlib.metadata import packages_distributions

from house import ROOT, SNIPPETS, listed, name, read
from pytest_codeblocks import extract_from_file

LINE = re.compile(r"^(?P<package>[\w.-]+)==[\w.]+ +# \S.+$")
# Parts of what is listed: of MkDocs, of the theme, of torch and of the kernel.
BROUGHT = {"markdown", "mkdocs", "numpy", "pillow", "pygments", "pymdown-extensions", "pyyaml"}
BROUGHT |= {"ipython", "jupyter-client", "psutil"}
# Used without an import: where that can be seen.
NAMED_IN = {
    "brotli": ("docs/hooks/formula_glyphs.py", "woff2"),
    "ipykernel": ("docs/hooks/lab_kernel.py", "NotebookClient"),
    "mkdocs-material": ("mkdocs.yml", "name: material"),
    "mkdocs-jupyter": ("mkdocs.yml", "mkdocs-jupyter"),
    "pylopdf-fonts-zh-cn": ("docs/hooks/social_cards.py", "pylopdf-fonts-zh-cn"),
    "pytest-randomly": ("Makefile", "no:randomly"),
    "pytest-xdist": ("Makefile", "-n 2"),
    "ruff": ("Makefile", "-m ruff"),
    "ziamath": ("docs/hooks/formula_glyphs.py", "ziamath"),
}


def normal(package):
    return re.sub(r"[-_.]+", "-", package).lower()


def imported():
    """Each module imported anywhere in the repository, with the file that does it."""
    sources = {path: read(path) for path in ROOT.glob("*.py")}
    for folder in ("docs", "tests"):
        sources |= {path: read(path) for path in (ROOT / folder).glob("**/*.py")}
    for path in SNIPPETS:
        sources[path] = "\n".join(b.code for b in extract_from_file(path) if b.syntax == "python")
    own = {path.stem for path in sources} | {"conftest"}
    for path, source in sources.items():
        for node in ast.walk(ast.parse(source)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module]
            for module in {full.partition(".")[0] for full in names}:
                if module not in sys.stdlib_module_names and module not in own:
                    yield module, name(path)


def missing(listed_packages, modules, distributions):
    """Modules whose package is not listed."""
    for module, file in sorted(set(modules)):
        packages = {normal(package) for package in distributions.get(module, [])}
        if not packages & (listed_packages | BROUGHT):
            yield f"{file} imports {module}: add its package to requirements.txt, pinned"


def packages():
    lines = read(ROOT / "requirements.txt").splitlines()
    wrong = [line for line in lines if line and not line.startswith("# ") and not LINE.match(line)]
    assert not wrong, listed(f"{line}: write package==version  # what it is for" for line in wrong)
    return {normal(LINE.match(line)["package"]) for line in lines if LINE.match(line)}


def test_what_is_imported_is_listed():
    found = list(missing(packages(), imported(), packages_distributions()))
    assert not found, listed(found)


def test_what_is_listed_is_used():
    distributions = packages_distributions()
    used = {normal(p) for module, _ in imported() for p in distributions.get(module, [])}
    used |= {p for p, (file, word) in NAMED_IN.items() if word in read(ROOT / file)}
    assert sorted(packages() - used) == []


def test_a_missing_package_is_found():
    modules = [("torch", "a.py"), ("yaml", "a.py"), ("scipy", "b.py")]
    distributions = {"torch": ["torch"], "yaml": ["PyYAML"], "scipy": ["scipy"]}
    assert list(missing({"torch"}, modules, distributions)) == [
        "b.py imports scipy: add its package to requirements.txt, pinned"
    ]
