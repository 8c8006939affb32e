//! `landform skyline`

use crate::args::Skyline;

pub(crate) fn run(args: &Skyline) -> anyhow::Result<()> {
    let _ = args;
    Ok(())
}
