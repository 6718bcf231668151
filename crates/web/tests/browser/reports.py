"""The pages that are made from the records: readable on a phone, on a desk and in the dark."""

from helpers import PICTURES, ROOT

PAGES = [ROOT / "docs/claims.html", *sorted(page.parent / "report.html" for page in ROOT.glob("records/*/results.jsonl"))]


def generated_pages(page):
    """No page is wider than the screen, and axe-core finds nothing to complain of."""
    axe = (ROOT / "target/npm/node_modules/axe-core/axe.min.js").read_text()
    for path in PAGES:
        page.send("Page.navigate", {"url": path.as_uri()})
        page.wait(f"location.pathname === {str(path)!r} && document.readyState === 'complete'")
        page.js(axe + "; 0")
        for width in [375, 768, 1280]:
            page.resize(width, 900)
            for dark in [False, True]:
                page.dark(dark)
                state = f"{path.parent.name}-{path.stem}-{width}{'-dark' if dark else ''}"
                page.screenshot(PICTURES / f"{state}.png")
                wide = page.js("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                assert wide <= 0, f"{state}: {wide} pixels too wide"
                # Long pages: the first of what is alike is enough.
                found = page.js("""axe.run({include: [['h1'], ['aside'], ['table'], ['.claims'], ['.charts']]}).then(
                    ({violations}) => violations.map((v) => v.id + ': ' + v.nodes.slice(0, 3).map((n) =>
                        n.html.slice(0, 90) + ' ' + (n.any[0]?.message ?? '')).join(' | ')))""")
                assert found == [], (state, found)
