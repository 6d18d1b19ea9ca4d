"""Bathroom fixtures: wash-basins, toilets, tubs and showers."""

from __future__ import annotations

from episodes.catalogue.furniture.storage import (
    BRASS,
    CLAY,
    IRON,
    OAK,
    SLATE,
    STEEL,
    UP,
    WHITE,
    basin,
    faucet,
)
from episodes.catalogue.mesh.carpentry import BOARD, Front, Paint, carcass, drawer
from episodes.catalogue.mesh.meshes import arc, box, cylinder, lathe, quad, tube
from episodes.catalogue.mesh.pieces import Piece

PORCELAIN = "#f2f0ea"


def bathroom_sink(variant: int, paint: Paint, top: str) -> Piece:
    """Build a wash-basin in a vanity with a drawer, faucet included."""
    p = Piece("sink", variant, "furniture", ("is_clean",))
    w, d, h = 0.4, 0.24, 0.86
    carcass(p, Front(-w, w, 0.22, h - 0.14), -d + BOARD, d, paint)
    for x in (-w + 0.04, w - 0.04):
        for z in (-d + 0.06, d - 0.04):
            p.panel((x - 0.02, 0, z - 0.02), (x + 0.02, 0.22, z + 0.02), paint.body)
    drawer(p, "drawer_1", Front(-w, w, 0.22, h - 0.14), -d, d - 0.05, paint, "bar")
    bx, z0, z1 = 0.24, -d + 0.04, d - 0.13
    for low, high in (
        ((-w, -d - 0.01), (-bx, d)),
        ((bx, -d - 0.01), (w, d)),
        ((-bx, -d - 0.01), (bx, z0)),
        ((-bx, z1), (bx, d)),
    ):
        p.panel((low[0], h - 0.14, low[1]), (high[0], h, high[1]), top, "satin", bevel=0.01)
    basin(p, -bx, bx, z0, z1, h - 0.004, 0.13, PORCELAIN)
    faucet(p, 0, h, d - 0.06, 0.15)
    p.on("top_left", (-0.32, h, 0.0), 0.06, 0.18)
    p.on("top_right", (0.32, h, 0.0), 0.06, 0.18)
    p.smudges([((-0.32, h, 0.1), UP), ((0.3, h, -0.05), UP), ((0.33, h, 0.14), UP)], 0.035)
    return p


def toilet(variant: int, seat: str) -> Piece:
    p = Piece("toilet", variant, "furniture", ("is_clean",))
    p.solid((-0.19, 0, -0.34), (0.19, 0.42, 0.12))
    bowl = lathe(
        [
            (0, 0),
            (0.1, 0),
            (0.11, 0.05),
            (0.09, 0.15),
            (0.16, 0.3),
            (0.19, 0.39),
            (0.15, 0.395),
            (0.12, 0.3),
            (0, 0.24),
        ],
        22,
    )
    p.draw(bowl.scaled(1, 1, 1.25).moved(0, 0, -0.1), PORCELAIN, "satin")
    lid = lathe([(0, 0.395), (0.195, 0.395), (0.2, 0.41), (0.19, 0.428), (0, 0.433)], 26)
    p.draw(lid.scaled(1, 1, 1.25).moved(0, 0, -0.1), seat, "satin")
    p.draw(box((-0.12, 0, 0.0), (0.12, 0.38, 0.16), 0.03), PORCELAIN, "satin")
    p.draw(box((-0.2, 0.38, 0.12), (0.2, 0.78, 0.3), 0.025), PORCELAIN, "satin")
    p.solid((-0.2, 0.38, 0.12), (0.2, 0.8, 0.3))
    p.draw(box((-0.21, 0.77, 0.11), (0.21, 0.8, 0.305), 0.012), PORCELAIN, "satin")
    p.solid((-0.1, 0, 0.12), (0.1, 0.38, 0.3))
    p.draw(cylinder(0.02, 0.8, 0.812, 12, 0.004).moved(0, 0, 0.2), STEEL, "metal")
    p.on("tank", (0, 0.8, 0.205), 0.17, 0.07)
    p.smudges(
        [((0.05, 0.432, -0.2), UP), ((-0.08, 0.43, -0.05), UP), ((0.02, 0.433, 0.02), UP)], 0.04
    )
    return p


def bathtub(variant: int, outside: str) -> Piece:
    """Build a tub along the wall, 1.6 m wide, with a tap."""
    p = Piece("bathtub", variant, "furniture", ("is_clean",))
    w, d, h = 0.8, 0.36, 0.56
    t = 0.06
    p.panel((-w, 0, -d), (w, 0.15, d), outside, "satin", bevel=0.01)
    for low, high in (
        ((-w, -d), (-w + t, d)),
        ((w - t, -d), (w, d)),
        ((-w + t, -d), (w - t, -d + t)),
        ((-w + t, d - t), (w - t, d)),
    ):
        p.panel((low[0], 0.15, low[1]), (high[0], h - 0.02, high[1]), outside, "satin", bevel=0.0)
    for low, high in (
        ((-w - 0.015, -d - 0.015), (-w + t + 0.02, d)),
        ((w - t - 0.02, -d - 0.015), (w + 0.015, d)),
        ((-w + t, -d - 0.015), (w - t, -d + t + 0.02)),
        ((-w + t, d - t - 0.02), (w - t, d)),
    ):
        p.draw(box((low[0], h - 0.03, low[1]), (high[0], h, high[1]), 0.014), PORCELAIN, "satin")
    p.draw(box((-w + t, 0.13, -d + t), (w - t, 0.151, d - t), 0.0), PORCELAIN, "satin")
    inner = [(-w + t + 0.001, w - t - 0.001, -d + t + 0.001, d - t - 0.001)]
    for x0, x1, z0, z1 in inner:
        corners = [(x0, z0), (x1, z0), (x1, z1), (x0, z1)]

        for (ax, az), (bx, bz) in zip(corners, corners[1:] + corners[:1], strict=True):
            p.draw(
                quad((ax, 0.14, az), (bx, 0.14, bz), (bx, h - 0.02, bz), (ax, h - 0.02, az)),
                PORCELAIN,
                "satin",
            )
    faucet(p, w - 0.2, h, d - 0.03, 0.13)
    p.within("tub", (-0.05, 0.15, 0), w - 0.2, d - t - 0.04, 1.2)
    p.smudges(
        [((x, 0.151, z), UP) for x, z in ((-0.4, 0.1), (0.1, -0.12), (0.4, 0.12), (-0.1, 0.16))],
        0.08,
    )
    return p


def shower(variant: int, tray: str, fittings: str) -> Piece:
    """Build a corner shower, 0.9 m square: a low tray, two glass screens, open to the front."""
    p = Piece("shower", variant, "furniture", ("is_clean",))
    w, h = 0.45, 2.0
    p.panel((-w, 0, -w), (w, 0.06, w), tray, "satin", bevel=0.015)
    p.draw(cylinder(0.04, 0.055, 0.063, 16, 0.003), IRON, "metal")
    for x0, x1 in ((-w, -w + 0.012), (w - 0.012, w)):
        p.panel((x0, 0.06, -w + 0.02), (x1, h, w - 0.02), "#cfe3e6", "glass", bevel=0.0)
        for z0, z1 in ((-w + 0.005, -w + 0.03), (w - 0.03, w - 0.005)):
            post = box((x0 - 0.003, 0.06, z0), (x1 + 0.003, h, z1), 0.004)
            p.draw(post, fittings, "metal")
    p.panel((-w + 0.012, 0.06, w - 0.03), (w - 0.012, h, w), "#dfe9ea", "satin", bevel=0.0)
    pipe = [
        (0.0, 1.0, w - 0.05),
        (0.0, 1.9, w - 0.05),
        *arc((0, 1.9, w - 0.2), 0.15, 0, 90, "zy", 5),
    ]
    p.draw(tube(pipe, 0.011, 8), fittings, "metal")
    head = lathe([(0, 2.06), (0.03, 2.05), (0.1, 2.02), (0.1, 2.01), (0, 2.01)], 18)
    p.draw(head.moved(0, 0, w - 0.22), fittings, "metal")
    p.draw(box((-0.07, 1.0, w - 0.075), (0.07, 1.05, w - 0.03), 0.012), fittings, "metal")
    p.panel((-0.38, 1.2, w - 0.12), (-0.2, 1.215, w - 0.03), fittings, "metal", bevel=0.003)
    p.on("soap_shelf", (-0.29, 1.215, w - 0.075), 0.08, 0.04, 0.3)
    p.on("tray", (0, 0.06, -0.02), w - 0.05, w - 0.08, 1.1)
    spots = [(-0.25, -0.2), (0.2, 0.1), (0.1, -0.3), (-0.15, 0.2)]
    p.smudges([((x, 0.06, z), UP) for x, z in spots], 0.05)
    return p


def pieces() -> list[Piece]:
    return [
        bathroom_sink(1, Paint(OAK, "#cfb48d", fitting=IRON), PORCELAIN),
        bathroom_sink(2, Paint(WHITE, SLATE, fitting=BRASS), PORCELAIN),
        toilet(1, PORCELAIN),
        toilet(2, CLAY),
        bathtub(1, PORCELAIN),
        bathtub(2, "#9fb3b3"),
        shower(1, PORCELAIN, STEEL),
        shower(2, "#b9c4c4", BRASS),
    ]
