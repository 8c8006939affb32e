//! What can be typed after `landform`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueHint};
use landform_project::GroundSize;

/// Terrain as a list of landforms: same text, same bytes, at any resolution.
#[derive(Debug, Parser)]
#[command(name = "landform", version, after_help = EXAMPLES, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  landform build                              the default terrain, as files and pictures, into terrain/
  landform new islands -o my.toml             a recipe to edit
  landform build my.toml --seed 3 -o my/      build it
  landform view my.toml -o my.png --style 3d  look at it
  landform skyline -o range.svg               a mountain range on the horizon";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    New(New),
    Build(Build),
    View(View),
    Compare(Compare),
    Sweep(Sweep),
    Skyline(Skyline),
    Inspect(Inspect),
    Stages(Stages),
    Completions(Completions),
    Man(Man),
}

/// Write a recipe to start from
///
/// Without -o it goes to standard output. Where the recipe is peaks only, a name that ends in .upd gives an Uplift
/// terrain file.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  landform new --list
  landform new mountains -o mine.toml --seed 12
  landform new uplift --set uplift.peaks=300 -o mine.upd
  landform new world --heightmap earth.png -o earth.toml   climate and biomes on a map of your own")]
pub(crate) struct New {
    /// The preset to start from; the default recipe if none is named
    pub(crate) preset: Option<String>,
    /// List the presets, one a line
    #[arg(long, conflicts_with_all = ["preset", "heightmap", "output", "seed", "size", "set"])]
    pub(crate) list: bool,
    /// A world on the ground of this heightmap instead of plates: on a sphere by longitude and latitude, the first and the
    /// last column being the same meridian
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "preset")]
    pub(crate) heightmap: Option<PathBuf>,
    /// Where to write it; - or -.upd is standard output, and so is none
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, allow_hyphen_values = true)]
    pub(crate) output: Option<PathBuf>,
    /// Write over a file that is there
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) making: Making,
    /// Do not tell what was written
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) changes: Changes,
}

/// Build a terrain: files, pictures, meshes
///
/// INPUT is a recipe (.toml), an Uplift terrain (.upd) or a heightmap; without one, the default recipe is built. `-` is
/// standard input: a recipe, an Uplift terrain, or a heightmap that can be told by its first bytes.
/// An output that ends in / is a folder and gets the standard bundle; otherwise its extension names the format. `-.EXT` is
/// standard output in that format, such as `-o -.npy`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  landform build
  landform build island.toml -o island/ -o island.png -o island.glb
  landform build island.toml --size 4097x4097 -o big.r16
  landform build islands --extent 2km -o small/   the same islands on 2 km of ground, with lower mountains
  landform build island.toml --tile 1024,0,512,512 -o tile.npy
  landform build island.toml -o slope=slope.exr -o normal=normal.png -o contours=lines.svg
  landform build island.toml -o island.glb --simplify 0.5 --tiles 2x2
  landform build island.toml -o island.tif --epsg 32632 --place 500000,5400000
  landform build model.tif -o contours=lines.fgb -o contours=lines.geojson   in its own system, and in degrees
  landform build model.tif -o catchments=basins.fgb -o subcatchments=streams.fgb   the ground of each stream
  landform build model.tif --set heightmap.voids=fill -o model/   an elevation model with holes
  landform build island.toml --for unity -o unity/
  landform build island.toml --for unity --output-range -200,1800 -o unity/   the same scale after every edit
  landform build island.toml --size 65537x65537 -o huge.zarr   interrupted, the same command goes on
  landform build huge.zarr -o huge.tif -o huge.pmtiles         the same for GIS, and for maps in browsers
  landform build island.toml --set uplift.peaks=300 --seed 5 -o more/
  generate | landform build - -o -.npy > heights.npy           standard input and output
  landform build island.toml -o runs/a.npy --mkdir --json      what was made, for programs")]
pub(crate) struct Build {
    /// Recipe, .upd or heightmap; - is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) input: Option<PathBuf>,
    #[arg(short, long = "output", value_name = "[MAP=]OUT", value_hint = ValueHint::AnyPath, help = output_help(), allow_hyphen_values = true)]
    pub(crate) outputs: Vec<PathBuf>,
    /// Write the files that a program takes, at a size it takes, with the numbers to type into its import dialog
    #[arg(long = "for", value_name = "TARGET", value_parser = clap::builder::PossibleValuesParser::new(
        landform_io::profile::Target::all().map(landform_io::profile::Target::name)))]
    pub(crate) target: Option<String>,
    /// Divide the heights into files of tiles that share their borders
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = size)]
    pub(crate) tiles: Option<[u32; 2]>,
    #[command(flatten)]
    pub(crate) changes: Changes,
    /// Build only the window whose first sample is I,J: the same bytes as that part of the whole
    #[arg(long, value_name = "I,J,W,H", value_parser = tile)]
    pub(crate) tile: Option<[u32; 4]>,
    /// Keep what stages find out about the whole ground in this folder, for other tiles and sizes of the same recipe
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) keep: Option<PathBuf>,
    /// Write the peaks of the mountain belts of a world into the recipe, to be edited; with -o FILE.toml or a folder
    #[arg(long)]
    pub(crate) belts: bool,
    /// Write into a folder with files that build did not make
    #[arg(long)]
    pub(crate) force: bool,
    /// Tell what was made as one JSON object on standard output: hashes, statistics, files, warnings
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) making: Making,
    #[command(flatten)]
    pub(crate) maps: Maps,
    #[command(flatten)]
    pub(crate) placing: Placing,
    #[command(flatten)]
    pub(crate) meshes: Meshes,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) streaming: Streaming,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) running: Running,
}

/// How files are made.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Making {
    /// Make the folder that an output lies in, if there is none
    #[arg(long)]
    pub(crate) mkdir: bool,
}

/// Draw a picture of a terrain
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  landform view island.toml -o island.png
  landform view island.toml -o island.png --style 3d --picture 1600x900 --azimuth 200
  landform view island.toml -o turning.png --style 3d --turntable 60 --picture 800x450
  landform view peaks.upd -o plan.png --style plan --largest 20
  landform view world -o globe.png --style world --projection globe --azimuth 30 --elevation 20
  landform view world -o wall.png --style world --projection equal-earth --poster \"My world\" --size 2049x1025
  landform view world -o drift.png --style plates --frames --picture 800x400")]
pub(crate) struct View {
    /// Recipe, .upd, heightmap, or a folder that build made
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) input: PathBuf,
    /// The picture, .png; with --frames also a folder, which ends in /; - is standard output
    #[arg(short, long, value_name = "PICTURE", value_hint = ValueHint::FilePath, allow_hyphen_values = true)]
    pub(crate) output: PathBuf,
    /// How to draw it
    #[arg(long, default_value = "relief", value_parser = clap::builder::PossibleValuesParser::new(
        landform_view::Style::ALL.iter().map(|style| style.name())))]
    pub(crate) style: String,
    /// Draw a layer instead, such as flow or sediment; two layers, such as flow,erosion, are blended into one map
    #[arg(
        long,
        value_name = "NAME[,NAME]",
        value_delimiter = ',',
        num_args = 1,
        conflicts_with = "style"
    )]
    pub(crate) layer: Vec<String>,
    /// A strip with a scale bar and the meaning of the colours under a map
    #[arg(long)]
    pub(crate) legend: bool,
    /// Size of the picture in pixels
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub(crate) picture: Option<[u32; 2]>,
    /// Draw only the window whose first sample is I,J
    #[arg(long, value_name = "I,J,W,H", value_parser = tile)]
    pub(crate) tile: Option<[u32; 4]>,
    /// Tell what was drawn as one JSON object on standard output: hashes, statistics, files, warnings
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) making: Making,
    #[command(flatten)]
    pub(crate) drawing: Drawing,
    #[command(flatten)]
    pub(crate) changes: Changes,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) running: Running,
}

/// What only some styles use.
#[derive(Debug, Args)]
pub(crate) struct Drawing {
    /// 3d: where the camera stands, in degrees from north over east
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true, value_parser = degrees)]
    pub(crate) azimuth: Option<f64>,
    /// 3d: how far up the camera stands, in degrees
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true, value_parser = degrees)]
    pub(crate) elevation: Option<f64>,
    /// 3d: a moving picture (APNG) that turns once around the terrain in so many frames
    #[arg(long, value_name = "FRAMES", value_parser = clap::value_parser!(u32).range(2..=3600))]
    pub(crate) turntable: Option<u32>,
    /// A map of a planet: how it is laid on paper; for a globe, --azimuth and --elevation are longitude and latitude of its middle
    #[arg(long, default_value = "equirectangular", value_parser = clap::builder::PossibleValuesParser::new(
        landform_view::MapProjection::NAMES))]
    pub(crate) projection: String,
    /// A map of a planet: meridians and parallels
    #[arg(long)]
    pub(crate) graticule: bool,
    /// A map as a poster with this title; that of the recipe if none is given
    #[arg(long, value_name = "TITLE", num_args = 0..=1, default_missing_value = "")]
    pub(crate) poster: Option<String>,
    /// A moving picture of the plates (APNG), one frame a step; with -o FOLDER/ a picture a step
    #[arg(long)]
    pub(crate) frames: bool,
    /// 3d: how many times higher than in nature; chosen for the terrain if not given
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    pub(crate) exaggeration: Option<f64>,
    /// plan: draw all circles this much smaller
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    pub(crate) circle_scale: Option<f64>,
    /// plan: show only so many of the highest peaks [default: 200]
    #[arg(long, value_name = "COUNT")]
    pub(crate) largest: Option<usize>,
    /// plan: the peaks to highlight, counted from 0
    #[arg(long, value_name = "INDEX")]
    pub(crate) select: Vec<usize>,
}

/// Compare several terrains: a sheet of pictures, or a table of numbers
///
/// Without -o, a table is printed: heights, slopes, drainage, spectra.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  landform compare mountains highland lowland -o sheet.png
  landform compare mine.toml --seeds 1,2,3,4 -o seeds.png --style 3d
  landform compare alpine_range dem.tif --same-scale -o beside.png --style hillshade
  landform compare alpine_range dem.tif --same-scale      the numbers of both")]
pub(crate) struct Compare {
    /// Recipes, .upd files, heightmaps, or names of presets
    #[arg(required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<PathBuf>,
    /// The picture, .png; if not given, the table of numbers is printed
    #[arg(short, long, value_name = "PICTURE", value_hint = ValueHint::FilePath, allow_hyphen_values = true)]
    pub(crate) output: Option<PathBuf>,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Compare all at the spacing of the coarsest and over the same size of ground, the middle of each, with heights drawn as in
    /// nature
    #[arg(long)]
    pub(crate) same_scale: bool,
    /// How to draw them
    #[arg(long, default_value = "relief", value_parser = clap::builder::PossibleValuesParser::new(
        landform_view::Style::ALL.iter().map(|style| style.name())))]
    pub(crate) style: String,
    /// Each with all of these seeds
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    pub(crate) seeds: Vec<u64>,
    /// Pictures in a row; as square a sheet as possible if not given
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) columns: Option<u16>,
    /// Before and after in one picture: the first of two terrains on the left of a line, the second on the right
    #[arg(long, conflicts_with = "columns")]
    pub(crate) split: bool,
    #[command(flatten)]
    pub(crate) making: Making,
    #[command(flatten)]
    pub(crate) changes: Changes,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) running: Running,
}

/// Build many terrains of one recipe: seeds and values of parameters
///
/// Each seed is combined with each value. `{seed}` and `{STAGE.PARAMETER}` in the name of an output stand for what varies.
/// A table (CSV) lists every terrain with its seed, values, statistics and hash. What is in the table and on the disk is not
/// made again, so the same command goes on after an interruption.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  landform sweep island.toml --seeds 1..100 -o 'runs/{seed}.png' --style relief --mkdir
  landform sweep fbm --seeds 1..10 --set noise.h=0.7,0.9 -o 'runs/{seed}-{noise.h}.npy'
  landform sweep fbm --set 'size=[129,129],[257,257]' -o 'runs/{size}/' --table sizes.csv")]
pub(crate) struct Sweep {
    /// Recipe or preset; - is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) input: PathBuf,
    /// The seeds: A..B, both included, or a list such as 1,5,20..30
    #[arg(long, value_name = "A..B", value_parser = seeds)]
    pub(crate) seeds: Option<Seeds>,
    /// The values of a parameter, divided by commas; may be repeated
    #[arg(long, value_name = "STAGE.PARAMETER=VALUE,VALUE", value_parser = assignment)]
    pub(crate) set: Vec<(String, String)>,
    /// Number of samples; the ground stays the same
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub(crate) size: Option<[u32; 2]>,
    /// Where each terrain goes, may be repeated: a file or a folder as for build, with {seed} and {STAGE.PARAMETER}
    #[arg(short, long = "output", value_name = "PATTERN", required = true, value_hint = ValueHint::AnyPath,
        allow_hyphen_values = true)]
    pub(crate) outputs: Vec<String>,
    /// Draw a .png in this style; without it, it is a heightmap
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(
        landform_view::Style::ALL.iter().map(|style| style.name())))]
    pub(crate) style: Option<String>,
    /// The table of what came out; sweep.csv beside the outputs if not given
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) table: Option<PathBuf>,
    /// Write into folders with files that build did not make
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) making: Making,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) running: Running,
}

/// A list of seeds.
#[derive(Clone, Debug)]
pub(crate) struct Seeds(pub(crate) Vec<u64>);

/// Draw a mountain range on the horizon: the 2-D Uplift Model
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  landform skyline -o range.png
  landform skyline -o andes.svg --ruggedness 20 --palette dusk
  landform skyline -o paper.png --plain --brownian   the paper's two curves, one above the other
  landform skyline -o tents.png --parts --ruggedness 1 --peak 200,150 --peak 400,250   two tents and their average
  landform skyline -o range.csv --plain --peaks-from mine.txt --spacing 25   the heights as numbers")]
pub(crate) struct Skyline {
    /// A picture (.png, .svg), or the heights as numbers (.csv, .npy, .json)
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, allow_hyphen_values = true)]
    pub(crate) output: PathBuf,
    /// Number of divisions along the horizon, N_x
    #[arg(long, default_value_t = 800)]
    pub(crate) divisions: u32,
    /// Width of a division, Δ_x, in the unit of the heights: wider divisions make narrower peaks
    #[arg(long, default_value_t = 1.0, value_parser = positive)]
    pub(crate) spacing: f64,
    /// Number of random peaks, N_p
    #[arg(long, default_value_t = 60)]
    pub(crate) peaks: u32,
    /// A peak in place of random ones: the division on which it stands, its height, and its steepness if that is its own; may be
    /// repeated
    #[arg(long = "peak", value_name = "I,Y[,R]", allow_hyphen_values = true, value_parser = landform::uplift::SkylinePeak::parse,
        conflicts_with_all = ["peaks", "y_min", "y_max", "ranges"])]
    pub(crate) given: Vec<landform::uplift::SkylinePeak>,
    /// A file with peaks in place of random ones, each as I Y or I Y R on a line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
        conflicts_with_all = ["peaks", "y_min", "y_max", "ranges", "given"])]
    pub(crate) peaks_from: Option<PathBuf>,
    /// Lowest peak, Y_min
    #[arg(long, default_value_t = 30.0, value_parser = positive)]
    pub(crate) y_min: f64,
    /// Highest peak, Y_max
    #[arg(long, default_value_t = 400.0, value_parser = positive)]
    pub(crate) y_max: f64,
    /// Steepness of the peaks, R
    #[arg(long, default_value_t = 3.0, value_parser = positive)]
    pub(crate) ruggedness: f64,
    /// Another seed gives another range
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many ranges stand one behind the other
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=12))]
    pub(crate) ranges: u32,
    /// The Brownian curve instead of the Uplift Model, for comparison; with --plain, beside it
    #[arg(long)]
    pub(crate) brownian: bool,
    /// Only the curve on white, as in the paper
    #[arg(long)]
    pub(crate) plain: bool,
    /// The curve in red over those that it is the average of; implies --plain
    #[arg(long)]
    pub(crate) parts: bool,
    /// The inverted V instead of the tent, which the paper shows to be worse
    #[arg(long)]
    pub(crate) inverted_v: bool,
    /// The light of the scene
    #[arg(long, default_value = "day", value_parser = clap::builder::PossibleValuesParser::new(
        landform_view::Palette::ALL.iter().map(|palette| palette.name())))]
    pub(crate) palette: String,
    /// How many stars, 0 to 1; as the palette has it if not given
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) stars: Option<f64>,
    /// How many clouds, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share, default_value_t = 0.4)]
    pub(crate) clouds: f64,
    /// How densely trees stand in the foreground, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share, default_value_t = 0.7)]
    pub(crate) trees: f64,
    /// A river through the foreground, 0 to 1 wide
    #[arg(long, value_name = "SHARE", value_parser = share, num_args = 0..=1, default_missing_value = "0.5")]
    pub(crate) river: Option<f64>,
    /// A village in the foreground, 0 to 1 large
    #[arg(long, value_name = "SHARE", value_parser = share, num_args = 0..=1, default_missing_value = "0.5")]
    pub(crate) buildings: Option<f64>,
    /// Size of the picture in pixels
    #[arg(long, value_name = "WxH", value_parser = size, default_value = "1600x700")]
    pub(crate) picture: [u32; 2],
    #[command(flatten)]
    pub(crate) making: Making,
    /// Do not tell what was written
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Tell what a file is: size, range, statistics, hashes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  landform inspect island.toml
  landform inspect height.png --json
  landform inspect island.toml --at 5120,2560   what each stage and the strongest peaks add there")]
pub(crate) struct Inspect {
    /// Recipe, .upd, heightmap, or a folder that build made
    #[arg(value_hint = ValueHint::AnyPath)]
    pub(crate) input: PathBuf,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Look at every byte of a store, and name what is damaged
    #[arg(long)]
    pub(crate) verify: bool,
    /// Why is this point so high? What each stage and the strongest peaks add at this place, in metres from the north-west corner to
    /// the east and to the south
    #[arg(long, value_name = "X,Z", value_parser = place, allow_hyphen_values = true)]
    pub(crate) at: Option<[f64; 2]>,
    #[command(flatten)]
    pub(crate) changes: Changes,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) running: Running,
}

/// List the stages that recipes are made of, with all their parameters
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  landform stages
  landform stages uplift
  landform stages mask
  landform stages --json > recipe.schema.json   for editors that complete and check")]
pub(crate) struct Stages {
    /// Only this stage; or mask, region, blend or layer: all that these can be
    pub(crate) name: Option<String>,
    /// The JSON schema of recipes, or of one stage
    #[arg(long)]
    pub(crate) json: bool,
}

/// Write completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  landform completions bash > /etc/bash_completion.d/landform")]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// Write the manual pages into a folder
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The folder
    #[arg(short, long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) output: PathBuf,
}

/// Changes to a recipe.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub(crate) struct Changes {
    /// Another seed: another terrain of the same character
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub(crate) seed: Option<u64>,
    /// Number of samples; the ground stays the same. For `new`, the number of grid lines: the ground is as large as before, and landforms move
    /// to the nearest of the new lines
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub(crate) size: Option<[u32; 2]>,
    /// A quick look: no more than this many samples on the longer side, and rivers carve on as few. Summits and main valleys are where
    /// the whole run has them
    #[arg(long, value_name = "SAMPLES", num_args = 0..=1, require_equals = true, default_missing_value = "257",
        value_parser = clap::value_parser!(u32).range(2..=65_536))]
    pub(crate) preview: Option<u32>,
    /// How large the ground is in nature, such as 2km, 800m or 2kmx1km: all heights and wavelengths are scaled with it. One length is that
    /// of the longer side
    #[arg(long, value_name = "LENGTH[xLENGTH]", value_parser = extent)]
    pub(crate) extent: Option<GroundSize>,
    /// Set a parameter of a stage, or a key of the recipe; may be repeated
    #[arg(long, value_name = "STAGE.PARAMETER=VALUE", value_parser = assignment)]
    pub(crate) set: Vec<(String, String)>,
    /// Flat places for towns and scenes, from a JSON file; may be repeated
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) pads: Vec<PathBuf>,
}

/// How maps are made.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Maps")]
pub(crate) struct Maps {
    /// The materials of splat maps: a TOML file with tables [[material]], each with a name and a mask, the uppermost last
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) materials: Option<PathBuf>,
    /// Metres between contours; a round number if not given
    #[arg(long, value_name = "METRES", value_parser = positive)]
    pub(crate) contour_interval: Option<f64>,
}

/// How heightmaps are written.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Heightmaps that are written")]
pub(crate) struct Placing {
    /// EPSG code of the coordinate system, projected and in metres; that of the input if not given
    #[arg(long, value_name = "CODE", value_parser = epsg)]
    pub(crate) epsg: Option<u16>,
    /// Where the north-west corner of the terrain lies in it, in metres; as in the input if not given
    #[arg(long, value_name = "EASTING,NORTHING", value_parser = place, allow_hyphen_values = true)]
    pub(crate) place: Option<[f64; 2]>,
    /// Heights in metres that the lowest and the highest level of 16-bit files stand for, so that an edit does not
    /// change the numbers in an engine; those of the terrain if not given
    #[arg(long, value_name = "LOW,HIGH", value_parser = rising, allow_hyphen_values = true)]
    pub(crate) output_range: Option<[f64; 2]>,
    /// Write .r16 and .r32 with the most significant byte first
    #[arg(long)]
    pub(crate) write_big_endian: bool,
}

/// Triangles.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Meshes")]
pub(crate) struct Meshes {
    /// Fewer triangles in .glb, .obj and .ply: as few as keep every sample within this many metres of the mesh
    #[arg(long, value_name = "METRES", value_parser = positive)]
    pub(crate) simplify: Option<f64>,
    /// A .glb without the map as its texture
    #[arg(long)]
    pub(crate) no_texture: bool,
}

/// The block of `--for print3d`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "With --for print3d")]
pub(crate) struct Printing {
    /// Length of the longer side in millimetres [default: 150]
    #[arg(long, value_name = "MM", value_parser = positive)]
    pub(crate) print_width: Option<f64>,
    /// Thickness of the base in millimetres [default: 3]
    #[arg(long, value_name = "MM", value_parser = positive)]
    pub(crate) print_base: Option<f64>,
    /// How many times steeper than in nature [default: 1]
    #[arg(long, value_name = "FACTOR", value_parser = positive)]
    pub(crate) print_exaggeration: Option<f64>,
}

/// Outputs larger than memory.
#[derive(Debug, Default, Args)]
#[command(
    next_help_heading = "Huge terrain (-o FILE.zarr, .pmtiles, .tiles, and .tif beyond 8192x8192 samples)"
)]
pub(crate) struct Streaming {
    /// Samples along a side of a chunk, a power of two [default: 256; 512 with --no-shards]
    #[arg(long, value_name = "SAMPLES")]
    pub(crate) chunk: Option<u32>,
    /// Samples along a side of a shard, which is also a tile of the work, a power of two [default: 2048]
    #[arg(long, value_name = "SAMPLES")]
    pub(crate) shard: Option<u32>,
    /// One file a chunk, for readers that know no shards (GDAL before 3.13)
    #[arg(long)]
    pub(crate) no_shards: bool,
    /// Write a .tif as a cloud-optimized GeoTIFF with overviews, whatever its size
    #[arg(long)]
    pub(crate) cog: bool,
    /// Look at every byte of a store that is finished, not only at the lengths of its files; what is damaged is made again
    #[arg(long)]
    pub(crate) verify: bool,
    /// Let the workers of a Dask cluster make a .zarr, by the Python package: `python -m landform.dask`
    #[arg(long, value_name = "tcp://HOST:PORT")]
    pub(crate) dask: Option<String>,
}

/// What a heightmap does not say of itself.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Heightmaps that do not tell their scale")]
pub(crate) struct Reading {
    /// Heights of black and white in metres
    #[arg(long, value_name = "LOW,HIGH", value_parser = pair, allow_hyphen_values = true)]
    pub(crate) range: Option<[f64; 2]>,
    /// Metres between samples
    #[arg(long, value_name = "DX[,DZ]", value_parser = one_or_two)]
    pub(crate) spacing: Option<[f64; 2]>,
    /// Number of samples in a file without a header
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub(crate) raw_size: Option<[u32; 2]>,
    /// A file without a header has its most significant byte first
    #[arg(long)]
    pub(crate) big_endian: bool,
    /// Read files that a recipe or manifest names also where they lie outside of its folder
    #[arg(long, help_heading = "Running")]
    pub(crate) allow_outside: bool,
}

/// How to run, which never changes the result.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct Running {
    /// Number of threads; all cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Refuse work that needs more memory than this (such as 500M or 8G); what is free if not given, 1G for huge terrain
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) memory: Option<u64>,
    /// No progress and no talk
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// The help of `-o`, from the table of all endings.
fn output_help() -> String {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for ending in landform_project::make::endings() {
        let names = ending.extensions.iter().map(|extension| format!(".{extension}"));
        match groups.iter_mut().find(|(group, _)| *group == ending.group) {
            Some((_, list)) => list.extend(names),
            None => groups.push((ending.group, names.collect())),
        }
    }
    let groups: Vec<_> =
        groups.iter().map(|(group, names)| format!("{group} ({})", names.join(" "))).collect();
    let maps = landform_project::make::MAPS.join(", ");
    format!(
        "Where to write, may be repeated: a folder (ends in /) for the standard bundle, or a file whose ending names the format: {}. \
         MAP=FILE writes another map: a layer, {maps}. -.EXT is standard output",
        groups.join("; ")
    )
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let wrong = || "expected WIDTHxHEIGHT, each in 1..=2000000, such as 1025x1025".to_owned();
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    let side = |text: &str| text.parse().ok().filter(|side| (1..=2_000_000).contains(side));
    Ok([side(width).ok_or_else(wrong)?, side(height).ok_or_else(wrong)?])
}

fn extent(text: &str) -> Result<GroundSize, String> {
    let wrong = || {
        "expected a length in m or km, 0.001m to 1000000km, or two with an x between, such as 2km, 800m or 2kmx1km".to_owned()
    };
    let length = |text: &str| {
        let text = text.trim();
        let (digits, unit) = match text.strip_suffix("km") {
            Some(digits) => (digits, 1000.0),
            None => (text.strip_suffix('m').unwrap_or(text), 1.0),
        };
        let number = digits.trim().parse::<f64>().ok().map(|number| number * unit);
        number.filter(|metres| (1e-3..=1e9).contains(metres)).ok_or_else(wrong)
    };
    match text.split_once(['x', 'X', '×']) {
        Some((width, depth)) => Ok(GroundSize::Sides([length(width)?, length(depth)?])),
        None => Ok(GroundSize::Longer(length(text)?)),
    }
}

fn tile(text: &str) -> Result<[u32; 4], String> {
    let numbers: Option<Vec<u32>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let wrong = "expected I,J,W,H: column and row of the first sample, and how many of each";
    numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| wrong.to_owned())
}

fn assignment(text: &str) -> Result<(String, String), String> {
    let (path, value) =
        text.split_once('=').ok_or("expected STAGE.PARAMETER=VALUE, such as uplift.peaks=100")?;
    Ok((path.trim().to_owned(), value.trim().to_owned()))
}

fn pair(text: &str) -> Result<[f64; 2], String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let pair: Option<[f64; 2]> = numbers.and_then(|numbers| numbers.try_into().ok());
    let is_range = |pair: &[f64; 2]| pair[0] <= pair[1] && (pair[1] - pair[0]).is_finite();
    pair.filter(is_range).ok_or_else(|| "expected LOW,HIGH in metres, such as -100,2500".to_owned())
}

fn rising(text: &str) -> Result<[f64; 2], String> {
    let wrong = "expected LOW,HIGH in metres, LOW below HIGH, such as -100,2500";
    pair(text).ok().filter(|[low, high]| low < high).ok_or_else(|| wrong.to_owned())
}

fn seeds(text: &str) -> Result<Seeds, String> {
    let wrong = || "expected seeds such as 1..100 or 1,5,20..30, at most a million".to_owned();
    let number = |text: &str| {
        let number = text.trim().parse::<u64>().ok().filter(|seed| *seed <= i64::MAX as u64);
        number.ok_or_else(wrong)
    };
    let mut seeds = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once("..").unwrap_or((part, part));
        let (first, last) = (number(first)?, number(last.trim_start_matches('='))?);
        if first > last || last - first >= 1_000_000 {
            return Err(wrong());
        }
        seeds.extend(first..=last);
    }
    Ok(Seeds(seeds))
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number in 0..=1".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (1e-6..=1e6).contains(number));
    number.ok_or_else(|| "expected a number in 0.000001..=1000000".to_owned())
}

fn factor(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.001..=1000.0).contains(number));
    number.ok_or_else(|| "expected a number in 0.001..=1000".to_owned())
}

fn degrees(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (-360.0..=360.0).contains(number));
    number.ok_or_else(|| "expected a number in -360..=360".to_owned())
}

fn epsg(text: &str) -> Result<u16, String> {
    let code = text.parse().ok().filter(|code| (1024..=32766).contains(code));
    match code {
        // Where EPSG keeps its geographic and geocentric systems.
        Some(4000..=4999) => Err("is in degrees, but terrain is in metres: give the code of a projected system, such as 32632".to_owned()),
        Some(code) => Ok(code),
        None => Err("expected a code in 1024..=32766".to_owned()),
    }
}

fn place(text: &str) -> Result<[f64; 2], String> {
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.abs() <= 1e9);
    let pair = text.split_once(',').and_then(|(east, north)| Some([number(east)?, number(north)?]));
    pair.ok_or_else(|| "expected two numbers of metres such as 500000,5400000".to_owned())
}

fn one_or_two(text: &str) -> Result<[f64; 2], String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let pair = match numbers.as_deref() {
        Some([both]) => Some([*both, *both]),
        Some([dx, dz]) => Some([*dx, *dz]),
        _ => None,
    };
    let is_spacing = |pair: &[f64; 2]| pair.iter().all(|step| (1e-6..=1e6).contains(step));
    let wrong = "expected DX or DX,DZ in metres, each in 0.000001..=1000000";
    pair.filter(is_spacing).ok_or_else(|| wrong.to_owned())
}

fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || "expected a number of bytes, such as 500M or 8G".to_owned();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match text[digits.len()..].to_ascii_uppercase().trim_end_matches("IB") {
        "" | "B" => 1,
        "K" | "KB" => 1 << 10,
        "M" | "MB" => 1 << 20,
        "G" | "GB" => 1 << 30,
        "T" | "TB" => 1 << 40,
        _ => return Err(wrong()),
    };
    digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit)).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn seeds_are_numbers_and_ranges_with_both_ends() {
        assert_eq!(seeds("1..3,9").unwrap().0, [1, 2, 3, 9]);
        for wrong in ["", "3..1", "1..x", "-1", "0..9999999999"] {
            assert!(seeds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_and_bytes_are_read() {
        assert_eq!(size("1025x513"), Ok([1025, 513]));
        for wrong in ["1025", "0x5", "5x", "1e3x5", "9999999x5"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(extent("2km"), Ok(GroundSize::Longer(2000.0)));
        assert_eq!(extent("800 m"), Ok(GroundSize::Longer(800.0)));
        assert_eq!(extent("2kmx500m"), Ok(GroundSize::Sides([2000.0, 500.0])));
        for wrong in ["", "km", "-2km", "2kmx", "2miles", "0m", "nankm"] {
            assert!(extent(wrong).is_err(), "{wrong}");
        }
        assert_eq!(bytes("500M"), Ok(500 << 20));
        assert_eq!(bytes("2GiB"), Ok(2 << 30));
        assert_eq!(bytes("123"), Ok(123));
        for wrong in ["", "M", "-1G", "5Q", "99999999999T"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
