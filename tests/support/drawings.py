"""Small pictures as files of several kinds, drawn and encoded here."""

import struct
import zlib
from base64 import b85decode

import numpy as np
from numpy.typing import NDArray
from support.pictures import png_of

from specchat.domain.pictures import Picture

Pixels = NDArray[np.uint8]

JPEG = b85decode(
    "|JeWF01!$>Nk#wx0RaGH0Av6F|JwjV02>k%7Zed27Zw*D92+1gLMtdGB`8rkJupIGRb^yfRb5+Zc$tA}agcLcU4^xVke;Kft*d8%"
    "yve$z$C;?Br2pFhLjfEf9w;LyPAe-;q;6eqq@<*zq@<*zq@<*zq@<*zq@<*zq@<*zq@<*zq@<*zq@<*zq@<*zq@<*zq@<*zq@@4A"
    "01*fP5C9MZ0U`hb5di}c0sq7R9{>OW1pxs80RaI300000000010s{mE1_uZU3Jd?l0JRVR0s#X90t5pE1q1{D00Dgg0s{a95d{(<"
    "F+m0sQDFxnaTGFvk)a49Lb1UWQqk}vGh%Xr2?`b$7#SKRCMPH<Dl|1VH#j*uLqtVJM@UIZQ&d$}S6EqEV`OD!XJ~0^b98lfcX)Yv"
    "gM@{Khlq)al9QB`mY0~BnxdnmrKYE-sj9NGw6(UkxVgH*!^FkL$H>Xb($mz{*4NnC+Tr5k<mKk)=;`Y5^7Hid_V@Vt`v1fL9{~UZ"
    "0RaI40RaI40RR91000010s{mE1_uZU3Jd?l0JRYS0s#U91Oo&I1q1{D0Rndb0RjUN1O*{61`<J02Vrp&A~Jyp6he`qvB3!=Gg9ys"
    "Vsg<679=#`CGi&+85$-hC@Cs6Ha9pqIzvQ7Mn_0VN>fx-R##YAT4Q8oW@l(=YIAgTc6WGrdV+(5g@%WSiHeewl$Dm3n3<ZQqok##"
    "r>Lo_va__cwzs&sy28W6#m2|T$;#5x)YaD4*xB0R<K*S$=jiF`^7Hid_V@Vt`v2Mh3<CiG0ucid06zd%P=0PQ2qgPtXZcls`DcOs"
    "-~E^TTAa+xoSgBW{B#fI)bIIell|}goBS4+!{})g(z8GR*#"
)
"""Of 16 x 16 pixels."""


def pixels(width: int, height: int, seed: int = 0) -> Pixels:
    """Coloured stripes and a disc, different for each seed."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width]
    slope, colours = rng.integers(1, 9, 3), rng.integers(0, 256, (2, 3))
    stripes = ((slope[0] * x + slope[1] * y) // 8 % 2).astype(bool)
    drawn = np.where(stripes[..., None], colours[0], colours[1])
    centre, radius = rng.integers(0, (width, height)), max(2, min(width, height) // 3)
    drawn[(x - centre[0]) ** 2 + (y - centre[1]) ** 2 < radius**2] = rng.integers(0, 256, 3)
    found: Pixels = drawn.astype(np.uint8)
    return found


def png(drawn: Pixels) -> bytes:
    height, width = drawn.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in drawn)
    return png_of(width, height, zlib.compress(rows))


def png_bomb(n_bytes: int, *, between: bytes = b"") -> bytes:
    """64 pixels wide and high, with far more packed in it. `between`: a chunk."""
    packed = zlib.compress(bytes(n_bytes), 9)
    return png_of(64, 64, packed[:1], packed[1:], between=between)


def jpeg_bomb(n_scans: int, side: int = 6000) -> bytes:
    """Each of its scans says of all blocks that they stay as they are."""
    frame = b"\xff\xc2" + struct.pack(">HBHHB", 11, 8, side, side, 1) + bytes([1, 0x11, 0])
    quantization = b"\xff\xdb" + struct.pack(">H", 67) + b"\0" + b"\1" * 64
    codes = b"\xff\xc4" + struct.pack(">H", 20) + b"\x10" + bytes([1, *[0] * 15]) + b"\xe0"
    bits = ("0" + "1" * 14) * -(-((side // 8) ** 2) // 32767)
    bits += "1" * (-len(bits) % 8)
    blocks = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
    scan = b"\xff\xda" + struct.pack(">H", 8) + bytes([1, 1, 0, 1, 63, 0]) + blocks
    return b"\xff\xd8" + quantization + frame + codes + scan * n_scans + b"\xff\xd9"


def bmp(drawn: Pixels) -> bytes:
    height, width = drawn.shape[:2]
    padding = b"\0" * (-3 * width % 4)
    rows = b"".join(row[:, ::-1].tobytes() + padding for row in drawn[::-1])
    header = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(rows), 2835, 2835, 0, 0)
    return struct.pack("<2sIHHI", b"BM", 54 + len(rows), 0, 0, 54) + header + rows


def gif(width: int, height: int, colour: int = 1) -> bytes:
    """One colour: each pixel as a code of its own, between codes that clear the table."""
    codes = "".join(f"{code:03b}"[::-1] for _ in range(width * height) for code in (4, colour)) + "101"
    bits = codes.ljust(-(-len(codes) // 8) * 8, "0")
    data = bytes(int(bits[at : at + 8][::-1], 2) for at in range(0, len(bits), 8))
    blocks = b"".join(bytes([len(data[at : at + 255])]) + data[at : at + 255] for at in range(0, len(data), 255))
    table = bytes([0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255])
    screen = struct.pack("<6sHHBBB", b"GIF89a", width, height, 0x91, 0, 0)
    return screen + table + struct.pack("<BHHHHB", 0x2C, 0, 0, width, height, 0) + b"\2" + blocks + b"\0;"


def picture(width: int = 60, height: int = 40, seed: int = 0) -> Picture:
    return Picture(png(pixels(width, height, seed)), f"drawing-{seed}.png")
