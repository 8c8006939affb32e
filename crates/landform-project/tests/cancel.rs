//! Every job stops when it is asked to, wherever it is, and leaves nothing half done.
#![expect(clippy::unwrap_used, reason = "a test may fail by panic")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use landform::{Terrain, Watch, par};
use landform_io::profile::Target;
use landform_io::store::{Check, Division};
use landform_io::{Format, Store};
use landform_project::make::stream::{self, Streaming};
use landform_project::make::{self, FrameStyle, Heights, Map, MapOptions, Profile};
use landform_project::sweep::Sweep;
use landform_project::{
    DiskFolder, Error, Observer, Opening, Project, Result, Sink, Watched, Writer, describe, explain,
};
use landform_view::{Options, Scene, Style};

const HILLS: &str = "version = 1\nseed = 5\nsize = [33, 33]\nresolution = [129, 129]\nspacing = [40, 40]\n\n\
    [[stage]]\nkind = \"uplift\"\npeaks = 9\n\n[[stage]]\nkind = \"thermal\"\nsteps = 3\n";
const PLATES: &str = "version = 1\nseed = 5\nsize = [33, 17]\nspacing = [40000, 40000]\n\n\
    [[stage]]\nkind = \"plates\"\nplates = 4\nsteps = 3\n";

/// Counts how often it is asked, and cancels after some time.
#[derive(Default)]
struct Counter {
    patience: Option<u32>,
    asked: AtomicU32,
    /// Bytes that were written since the last question, and the most that were.
    bytes: AtomicU64,
    most_bytes: AtomicU64,
}

impl Watch for Counter {
    fn is_cancelled(&self) -> bool {
        let bytes = self.bytes.swap(0, Ordering::SeqCst);
        self.most_bytes.fetch_max(bytes, Ordering::SeqCst);
        let asked = self.asked.fetch_add(1, Ordering::SeqCst);
        self.patience.is_some_and(|patience| asked >= patience)
    }
}

impl Observer for Counter {}

/// A folder whose bytes are counted.
struct Counted<'a>(DiskFolder, &'a Counter);

impl<'a> Counted<'a> {
    fn new(folder: &Path, counter: &'a Counter) -> Self {
        Self(DiskFolder::new(folder.join("out")), counter)
    }
}

struct CountedWrite<'a>(&'a mut dyn Write, &'a Counter);

impl Write for CountedWrite<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = self.0.write(bytes)?;
        self.1.bytes.fetch_add(count as u64, Ordering::SeqCst);
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

impl Sink for Counted<'_> {
    fn put(&mut self, name: &str, write: &mut Writer<'_>) -> Result<()> {
        let counter = self.1;
        self.0.put(name, &mut |out| write(&mut CountedWrite(out, counter)))
    }

    fn put_record(&mut self, name: &str, text: &str) -> Result<()> {
        self.0.put_record(name, text)
    }

    fn finish(&mut self) -> Result<()> {
        self.0.finish()
    }
}

/// What jobs are made from.
struct Ground {
    project: Project,
    terrain: Terrain,
    store: Store,
}

fn open(text: &str) -> Project {
    Project::of_text(text.to_owned(), None, &Opening::default()).unwrap()
}

fn build_store(project: &Project, folder: &Path, watch: &Counter) -> Result<()> {
    let plan = project.plan()?;
    let division = Division { chunk: Some(32), shard: Some(64), ..Division::default() };
    let streaming = Streaming { division, check: Check::Lengths, ..Streaming::default() };
    let whole = plan.lattice().whole();
    let builder = stream::start(project, &plan, (&whole, &division), folder, watch)?;
    stream::fill(project, &plan, &builder, &streaming, watch).map(|_| ())
}

type Job = fn(&Ground, &Path, &Counter) -> Result<()>;

/// Jobs that leave all or nothing.
const JOBS: [(&str, Job); 13] = [
    ("run", |ground, _, watch| {
        // A plan keeps what its simulations found out, so each run takes one of its own.
        let project = open(HILLS);
        ground.project.terrain(&project.plan()?, watch).map(|_| ())
    }),
    ("bundle", |ground, folder, watch| {
        let sink = &mut Counted::new(folder, watch);
        make::bundle(&ground.terrain, &ground.project.origin(), None, sink, watch).map(|_| ())
    }),
    ("profile", |ground, folder, watch| {
        let profile = Profile::new(Target::named("gis").unwrap(), "a");
        let (origin, sink) = (ground.project.origin(), &mut Counted::new(folder, watch));
        make::profile(&ground.terrain, &profile, &origin, None, sink, watch).map(|_| ())
    }),
    ("profile of a store", |ground, folder, watch| {
        let profile = Profile::new(Target::named("gis").unwrap(), "a");
        let (origin, sink) = (ground.project.origin(), &mut Counted::new(folder, watch));
        make::profile_of_store(&ground.store, &profile, &origin, None, sink, watch).map(|_| ())
    }),
    ("heights in tiles", |ground, folder, watch| {
        let heights = Heights { tiles: Some([2, 2]), ..Heights::new(Format::R32) };
        let sink = &mut Counted::new(folder, watch);
        make::heights(&ground.terrain, &heights, "a.r32", sink, watch).map(|_| ())
    }),
    ("map", |ground, folder, watch| {
        let map = Map::of("slope", Path::new("a.npy"))?;
        let mut sink = Counted::new(folder, watch);
        let sink = &mut Watched::new(&mut sink, watch);
        let options = MapOptions::default();
        make::map(&ground.terrain, &map, &options, ground.project.inputs(), "a.npy", sink)
            .map(|_| ())
    }),
    ("picture", |ground, folder, watch| {
        let image = landform_view::draw(&ground.terrain, Style::Relief, &Options::default());
        let mut sink = Counted::new(folder, watch);
        let sink = &mut Watched::new(&mut sink, watch);
        make::put_image(sink, "a.png", &image)?;
        sink.finish()
    }),
    ("turntable", |ground, folder, watch| {
        let (scene, size) = (Scene::default(), Some([64, 48]));
        let sink = &mut Counted::new(folder, watch);
        make::turntable(&ground.terrain, &scene, size, 4, "a.png", sink, watch)
    }),
    ("frames", |_, folder, watch| {
        let project = open(PLATES);
        let (recipe, inputs, options) = (project.recipe(), project.inputs(), Options::default());
        let (style, sink) = (FrameStyle::Moving("a.png"), &mut Counted::new(folder, watch));
        make::frames(recipe, inputs, Style::Plates, &options, style, sink, watch).map(|_| ())
    }),
    ("GeoTIFF", |ground, folder, watch| {
        stream::convert(&ground.store, &folder.join("a.tif"), &folder.join("part"), watch)
    }),
    ("map tiles in a file", |ground, folder, watch| {
        stream::convert(&ground.store, &folder.join("a.pmtiles"), &folder.join("part"), watch)
    }),
    ("inspecting a store", |ground, _, watch| {
        describe::describe_store(&ground.store, watch)?;
        describe::verify_store(&ground.store, watch).map(|_| ())
    }),
    ("explaining a place", |ground, _, watch| {
        explain::explain(&ground.project, [300.0, 400.0], watch).map(|_| ())
    }),
];

/// Jobs that go on later with what is done.
const RESUMED: [(&str, Job); 3] = [
    ("store", |ground, folder, watch| build_store(&ground.project, &folder.join("a.zarr"), watch)),
    ("folder of map tiles", |ground, folder, watch| {
        let path = folder.join("a.tiles");
        stream::convert(&ground.store, &path, &folder.join("part"), watch)
    }),
    ("sweep", |ground, folder, watch| {
        let sweep = Sweep {
            project: &ground.project,
            seeds: vec![1, 2, 3],
            set: Vec::new(),
            outputs: vec![folder.join("{seed}.npy").display().to_string()],
            style: None,
            table: folder.join("table.csv"),
            memory: None,
            side_by_side: 2,
        };
        sweep.planned()?.run(watch).map(|_| ())
    }),
];

/// All files below a folder, with their bytes.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.push((name, fs::read(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// Where a job that asks so often is cancelled: at the first two questions, at some, and at the last.
fn places(asked: u32) -> Vec<u32> {
    let step = (asked / 5).max(1) as usize;
    let mut places: Vec<u32> = (0..asked).step_by(step).chain([1, asked - 1]).collect();
    places.retain(|place| *place < asked);
    places.sort_unstable();
    places.dedup();
    places
}

#[test]
fn every_job_can_be_cancelled_anywhere() {
    let home = scratch();
    let project = open(HILLS);
    build_store(&project, &home.path().join("s.zarr"), &Counter::default()).unwrap();
    let store = Store::open(&home.path().join("s.zarr")).unwrap();
    let terrain = project.terrain(&project.plan().unwrap(), &()).unwrap();
    let ground = Ground { project, terrain, store };
    let all = JOBS.iter().map(|job| (job, false)).chain(RESUMED.iter().map(|job| (job, true)));
    for ((name, job), is_resumed) in all {
        // One thread: the questions are the same each time.
        let run = |folder: &Path, counter: &Counter| {
            par::with_threads(1, || job(&ground, folder, counter)).unwrap()
        };
        let folder = scratch();
        let counter = Counter::default();
        run(folder.path(), &counter).unwrap();
        let mut whole = files(folder.path());
        // It has the names of files with their folder.
        whole.retain(|(name, _)| name != "table.csv");
        let asked = counter.asked.into_inner();
        assert!(asked >= 1, "{name} asks {asked} times");
        let most = counter.most_bytes.into_inner();
        assert!(most <= 1 << 16, "{name} writes {most} bytes without a question");
        for patience in places(asked) {
            let folder = scratch();
            let counter = Counter { patience: Some(patience), ..Counter::default() };
            let cancelled = run(folder.path(), &counter);
            assert!(matches!(cancelled, Err(Error::Cancelled)), "{name} at {patience} of {asked}");
            let after = counter.asked.into_inner() - patience;
            assert!(after <= 8, "{name} at {patience} of {asked} goes on for {after} questions");
            if is_resumed {
                run(folder.path(), &Counter::default()).unwrap();
                let mut again = files(folder.path());
                again.retain(|(name, _)| name != "table.csv");
                assert!(again == whole, "{name} is another one after a stop at {patience}");
            } else {
                let left: Vec<_> = files(folder.path()).into_iter().map(|(name, _)| name).collect();
                assert!(left.is_empty(), "{name} at {patience} of {asked} leaves {left:?}");
            }
        }
    }
}
