//! `landform stages`

use std::io::Write as _;

use landform::recipe::{Parameter, StageDoc, catalogue, did_you_mean, schema};
use serde_json::Value as Json;

use crate::args::Stages;
use crate::misuse;

pub(crate) fn run(args: &Stages) -> anyhow::Result<()> {
    let (stages, shared) = catalogue();
    let mut stdout = std::io::stdout().lock();
    let Some(name) = &args.name else {
        if args.json {
            writeln!(stdout, "{}", serde_json::to_string_pretty(schema())?)?;
            return Ok(());
        }
        for stage in &stages {
            describe(stage, &mut stdout)?;
        }
        writeln!(stdout, "every stage\n  What all of the above have beside their own parameters.")?;
        return parameters(&shared, &mut stdout);
    };
    let Some(stage) = stages.iter().find(|stage| stage.kind == *name) else {
        let kinds: Vec<&str> = stages.iter().map(|stage| stage.kind.as_str()).collect();
        return Err(misuse(format!(
            "there is no stage {name:?}{}, the stages are {}",
            did_you_mean(name, &kinds),
            kinds.join(", ")
        )));
    };
    if args.json {
        writeln!(stdout, "{}", serde_json::to_string_pretty(stage)?)?;
        return Ok(());
    }
    describe(stage, &mut stdout)
}

fn describe(stage: &StageDoc, out: &mut impl std::io::Write) -> anyhow::Result<()> {
    writeln!(out, "{}\n  {} Reach: {}.", stage.kind, stage.about, stage.reach)?;
    parameters(&stage.parameters, out)
}

fn parameters(parameters: &[Parameter], out: &mut impl std::io::Write) -> anyhow::Result<()> {
    let widest = parameters.iter().map(|parameter| parameter.name.len()).max().unwrap_or(0);
    for parameter in parameters {
        let default = match &parameter.default {
            Json::Null => "none".to_owned(),
            Json::String(word) => format!("{word:?}"),
            other => other.to_string(),
        };
        let unit =
            if parameter.unit.is_empty() { String::new() } else { format!(" {}", parameter.unit) };
        writeln!(out, "    {:<widest$}  {}", parameter.name, parameter.about)?;
        writeln!(out, "    {:<widest$}  {}{unit}, default {default}", "", parameter.allowed)?;
    }
    writeln!(out)?;
    Ok(())
}
