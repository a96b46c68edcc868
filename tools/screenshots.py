# SPDX-License-Identifier: Apache-2.0
"""Write docs/report-PAPER.png: the section of each paper on the page of `hanji-lab report`, at
three widths side by side, from a phone to a wide screen. Look at them after a change of the page.

.venv/bin/python tools/screenshots.py      # needs chromium, chromium-driver, ./lab[test]
"""

from __future__ import annotations

import argparse
import base64
import io
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from hanji_lab import report

ROOT = Path(__file__).resolve().parents[1]
WIDTHS = (400, 800, 1600)  # pixels of the page
HEIGHT = 1500  # pixels of the page that are shown
SCALE = 0.4  # of the picture
COLOURS = 96
GAP = 12  # pixels between
PLACE = """
const box = document.getElementById(arguments[0]).getBoundingClientRect()
return [box.top + scrollY, box.height]
"""


def browser() -> Any:
    """Chromium without a window."""
    options = Options()
    options.binary_location = str(shutil.which("chromium"))
    # A capture has no scrollbar: with one before, the page would change its shape for it.
    arguments = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")
    for argument in arguments:
        options.add_argument(argument)
    return webdriver.Chrome(options=options, service=Service(str(shutil.which("chromedriver"))))


def shot(driver: Any, name: str, width: int) -> Image.Image:
    """The section of a paper at one width."""
    size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    top, height = -1.0, 0.0
    while (place := driver.execute_script(PLACE, name)) != [top, height]:
        top, height = place  # until the page has its new shape
        time.sleep(0.3)
    clip = {"x": 0, "y": top, "width": width, "height": min(height, HEIGHT), "scale": 1}
    options = {"format": "png", "clip": clip, "captureBeyondViewport": True}
    made = driver.execute_cdp_cmd("Page.captureScreenshot", options)["data"]
    image = Image.open(io.BytesIO(base64.b64decode(made))).convert("RGB")
    small = (round(image.width * SCALE), round(image.height * SCALE))
    return image.resize(small, Image.Resampling.LANCZOS)


def beside(parts: list[Image.Image]) -> Image.Image:
    """Pictures side by side."""
    size = (sum(one.width + GAP for one in parts) - GAP, max(one.height for one in parts))
    whole, at = Image.new("RGB", size, "#d0d0d0"), 0
    for one in parts:
        whole.paste(one, (at, 0))
        at += one.width + GAP
    return whole


def main() -> None:
    """Write all pictures."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page, _ = report.write(ROOT, Path(folder))
        driver = browser()
        try:
            driver.get(page.as_uri())
            # all papers at one width, then at the next
            shots = [
                {name: shot(driver, name, width) for name in report.PAPERS} for width in WIDTHS
            ]
            for name in report.PAPERS:
                path = ROOT / f"docs/report-{name}.png"
                beside([one[name] for one in shots]).quantize(COLOURS).save(path, optimize=True)
                print(f"{path.name}: {path.stat().st_size} bytes")
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
