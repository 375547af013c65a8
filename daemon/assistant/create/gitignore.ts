/** The `.gitignore` of an app: what Python, its tools, editors and systems leave in a folder. */
export const gitignore = `# Python's caches
__pycache__/
*.py[cod]

# Environments, and their variables: these may hold secrets
.venv/
venv/
env/
.env
.env.*
!.env.example

# Builds
build/
dist/
*.egg-info/
*.whl

# Tools, editors and systems
.pytest_cache/
.mypy_cache/
.ruff_cache/
.coverage
htmlcov/
node_modules/
.idea/
.vscode/
.DS_Store
Thumbs.db
`;
