//! A store survives a power cut at any of its writes: what it says of itself is true, and whoever resumes gives the same bytes.

use std::path::Path;

use landform::{Inputs, Plan, Recipe};

use super::{Builder, Check, Division, Manifest, Sharding, Store, fill};
use crate::disk::power::{certain, for_each_cut, read_state, record, scratch, write_state};

/// Two tiles on three levels from two bases, with a stage that looks at the whole.
const RECIPE: &str = "version = 1\nseed = 5\nsize = [17, 17]\nresolution = [60, 30]\nspacing = [40, 40]\n\n\
    [[stage]]\nkind = \"noise\"\namplitude = 90\n\n[[stage]]\nkind = \"thermal\"\nsteps = 2\n";

struct Job {
    plan: Plan,
    manifest: Manifest,
}

impl Job {
    fn new(sharding: Sharding) -> Self {
        let inputs = Inputs::default();
        let plan = Recipe::parse(RECIPE).unwrap().resolve(&inputs).unwrap();
        let division = Division { chunk: Some(16), shard: Some(32), sharding };
        let whole = plan.lattice().whole();
        let manifest = Manifest::new(&plan, &whole, &division, (RECIPE, Some(5)), &inputs).unwrap();
        Self { plan, manifest }
    }

    fn build(&self, root: &Path) -> crate::Result<()> {
        let builder = Builder::start(root, self.manifest.clone())?;
        fill(&builder, &self.plan, 1 << 30, &()).map(|_| ())
    }
}

#[test]
fn a_power_cut_at_any_write_of_a_store_loses_nothing_that_was_declared() {
    for sharding in [Sharding::Shards, Sharding::Chunks] {
        let job = Job::new(sharding);
        let home = scratch();
        let steps = record(home.path(), || job.build(&home.path().join("a.zarr")).unwrap());
        let whole = read_state(home.path());
        // When it has ended, nothing can be lost. What only served the filling may come back, and does no harm.
        let mut end = certain(&steps);
        end.retain(|path, _| !path.starts_with("a.zarr/.landform"));
        assert!(end == whole, "{:?}", end.keys());
        let (mut states, mut complete) = (0, 0);
        for_each_cut(&steps, 0, |cut, state| {
            let home = scratch();
            write_state(home.path(), state);
            let root = home.path().join("a.zarr");
            states += 1;
            if let Ok(store) = Store::open(&root)
                && store.manifest().complete
            {
                complete += 1;
                let damage = store.damage(Check::Contents, &()).unwrap();
                assert!(damage.is_empty(), "{cut}: {}", damage.shown());
            }
            job.build(&root).unwrap_or_else(|error| panic!("{cut}: {error}"));
            let resumed = read_state(home.path());
            assert!(resumed.keys().eq(whole.keys()), "{cut}: {:?}", resumed.keys());
            assert!(resumed == whole, "{cut}: other bytes");
        });
        assert!(states > 100 && complete > 2, "{states} states, {complete} complete");
    }
}
