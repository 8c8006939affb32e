//! Hours of the day.

use crate::color::{Rgb, srgb};

/// The light of a skyline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    /// Blue sky, light at the horizon and dark overhead.
    #[default]
    Day,
    /// First light: rose and pale gold.
    Dawn,
    /// After sunset: orange under violet.
    Dusk,
    /// Moonlight and stars.
    Night,
    /// Rain: shades of one grey-green.
    Mist,
    /// Late autumn: ochre and slate.
    Autumn,
}

impl Palette {
    /// All palettes, in the order in which they are listed to users.
    pub const ALL: &'static [Self] =
        &[Self::Day, Self::Dawn, Self::Dusk, Self::Night, Self::Mist, Self::Autumn];

    /// The name that users type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Dawn => "dawn",
            Self::Dusk => "dusk",
            Self::Night => "night",
            Self::Mist => "mist",
            Self::Autumn => "autumn",
        }
    }

    /// The palette called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|palette| palette.name() == name)
    }

    pub(crate) fn colors(self) -> &'static Colors {
        match self {
            Self::Day => &DAY,
            Self::Dawn => &DAWN,
            Self::Dusk => &DUSK,
            Self::Night => &NIGHT,
            Self::Mist => &MIST,
            Self::Autumn => &AUTUMN,
        }
    }
}

/// What a palette is made of, in sRGB.
#[derive(Debug)]
pub(crate) struct Colors {
    /// From overhead (0) to the horizon (1).
    pub(crate) sky: &'static [(f32, Rgb)],
    /// Crest of the farthest and of the nearest range.
    pub(crate) far: Rgb,
    pub(crate) near: Rgb,
    /// What lies in the valleys between the ranges, far and near.
    pub(crate) mist: [Rgb; 2],
    /// Foreground and its trees.
    pub(crate) trees: Rgb,
    pub(crate) cloud: Rgb,
    pub(crate) disc: Rgb,
    pub(crate) glow: Rgb,
    /// Height of the disc over the horizon, as a share of the sky.
    pub(crate) disc_height: f64,
    /// How many stars, 0 to 1, unless told otherwise.
    pub(crate) stars: f64,
    pub(crate) is_moon: bool,
}

static DAY: Colors = Colors {
    sky: &[
        (0.0, srgb(0x2A_5D9F)),
        (0.35, srgb(0x4F_86C0)),
        (0.7, srgb(0x8F_B9DC)),
        (1.0, srgb(0xD6_E7F0)),
    ],
    far: srgb(0x8F_AECB),
    near: srgb(0x2F_4F5E),
    mist: [srgb(0xCF_E0EA), srgb(0x6E_8F96)],
    trees: srgb(0x17_2E30),
    cloud: srgb(0xFF_FFFF),
    disc: srgb(0xFF_FBE8),
    glow: srgb(0xFF_F3CF),
    disc_height: 0.68,
    stars: 0.0,
    is_moon: false,
};

static DAWN: Colors = Colors {
    sky: &[
        (0.0, srgb(0x4A_5F8C)),
        (0.4, srgb(0x8B_8DB3)),
        (0.72, srgb(0xE0_B4B4)),
        (0.9, srgb(0xF8_D3B0)),
        (1.0, srgb(0xFD_E8C8)),
    ],
    far: srgb(0xB7_9DB0),
    near: srgb(0x3A_3A57),
    mist: [srgb(0xF2_D3C2), srgb(0x8A_7A93)],
    trees: srgb(0x1D_1F33),
    cloud: srgb(0xFB_D9CF),
    disc: srgb(0xFF_F6DC),
    glow: srgb(0xFF_E3B0),
    disc_height: 0.16,
    stars: 0.0,
    is_moon: false,
};

static DUSK: Colors = Colors {
    sky: &[
        (0.0, srgb(0x1F_2347)),
        (0.35, srgb(0x4A_3A6B)),
        (0.62, srgb(0x9C_5276)),
        (0.82, srgb(0xE2_7D60)),
        (1.0, srgb(0xF9_C06A)),
    ],
    far: srgb(0x95_566F),
    near: srgb(0x23_1B38),
    mist: [srgb(0xE2_8E68), srgb(0x55_365A)],
    trees: srgb(0x0F_0D1E),
    cloud: srgb(0xF0_9A7A),
    disc: srgb(0xFF_E9A8),
    glow: srgb(0xFF_B765),
    disc_height: 0.10,
    stars: 0.25,
    is_moon: false,
};

static NIGHT: Colors = Colors {
    sky: &[
        (0.0, srgb(0x07_0D1F)),
        (0.45, srgb(0x0F_1D3B)),
        (0.8, srgb(0x22_3A5E)),
        (1.0, srgb(0x41_5F82)),
    ],
    far: srgb(0x2C_4563),
    near: srgb(0x0B_1526),
    mist: [srgb(0x3F_5C7D), srgb(0x1A_2C44)],
    trees: srgb(0x03_070F),
    cloud: srgb(0x5F_7896),
    disc: srgb(0xF4_F1E0),
    glow: srgb(0xA9_C0DC),
    disc_height: 0.72,
    stars: 1.0,
    is_moon: true,
};

static MIST: Colors = Colors {
    sky: &[(0.0, srgb(0xA9_B7B5)), (0.6, srgb(0xCC_D5D1)), (1.0, srgb(0xE6_EAE5))],
    far: srgb(0xBB_C8C4),
    near: srgb(0x35_4A49),
    mist: [srgb(0xE3_E8E3), srgb(0x8F_A29E)],
    trees: srgb(0x16_2424),
    cloud: srgb(0xF4_F6F3),
    disc: srgb(0xFA_FAF2),
    glow: srgb(0xF4_F4E8),
    disc_height: 0.55,
    stars: 0.0,
    is_moon: false,
};

static AUTUMN: Colors = Colors {
    sky: &[
        (0.0, srgb(0x5E_7F94)),
        (0.5, srgb(0xA8_B9B5)),
        (0.85, srgb(0xEB_DDBB)),
        (1.0, srgb(0xF7_E9C6)),
    ],
    far: srgb(0xB5_A78F),
    near: srgb(0x5A_3B26),
    mist: [srgb(0xEA_DBB8), srgb(0xA0_7A4F)],
    trees: srgb(0x2A_1B14),
    cloud: srgb(0xFB_F2DE),
    disc: srgb(0xFF_F5D6),
    glow: srgb(0xFB_DF9E),
    disc_height: 0.34,
    stars: 0.0,
    is_moon: false,
};
