//! `landform stages`

use std::io::Write as _;

use landform::recipe::{
    Joint, Parameter, StageDoc, WordDoc, catalogue, did_you_mean, schema, vocabulary,
};
use serde_json::Value as Json;

use crate::args::Stages;
use crate::misuse;

pub(crate) fn run(args: &Stages) -> anyhow::Result<()> {
    let (stages, mut shared) = catalogue();
    let words = vocabulary();
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
        set_defaults(&mut shared);
        parameters(&shared, &mut stdout)?;
        return words.iter().try_for_each(|word| describe_word(word, &mut stdout));
    };
    if let Some(word) = words.iter().find(|word| word.word == *name) {
        if args.json {
            writeln!(stdout, "{}", serde_json::to_string_pretty(word)?)?;
            return Ok(());
        }
        return describe_word(word, &mut stdout);
    }
    let Some(stage) = stages.iter().find(|stage| stage.kind == *name) else {
        let kinds: Vec<&str> = stages.iter().map(|stage| stage.kind.as_str()).collect();
        let words: Vec<&str> = words.iter().map(|word| word.word).collect();
        return Err(misuse(format!(
            "there is no stage {name:?}{}, the stages are {}; what they use is told by {}",
            did_you_mean(name, &[kinds.as_slice(), words.as_slice()].concat()),
            kinds.join(", "),
            words.join(", ")
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

/// Masks, regions, blends or layers: what they are, and each kind.
fn describe_word(word: &WordDoc, out: &mut impl std::io::Write) -> anyhow::Result<()> {
    writeln!(out, "{}\n  {}\n", word.word, word.about)?;
    let widest = word.kinds.iter().map(|kind| kind.kind.len()).max().unwrap_or(0);
    let is_plain = word.kinds.iter().all(|kind| kind.parameters.is_empty());
    for kind in &word.kinds {
        if is_plain {
            writeln!(out, "    {:<widest$}  {}", kind.kind, kind.about)?;
        } else {
            writeln!(out, "  kind = \"{}\"\n    {}", kind.kind, kind.about)?;
            parameters(&kind.parameters, out)?;
        }
    }
    if is_plain {
        writeln!(out)?;
    }
    Ok(())
}

/// What every stage is given if nothing is said.
fn set_defaults(shared: &mut [Parameter]) {
    let Joint { enabled, layer, amount, .. } = Joint::default();
    for parameter in shared {
        match parameter.name.as_str() {
            "enabled" => parameter.default = enabled.into(),
            "layer" => parameter.default = layer.as_str().into(),
            "amount" => parameter.default = amount.into(),
            _ => {}
        }
    }
}

fn parameters(parameters: &[Parameter], out: &mut impl std::io::Write) -> anyhow::Result<()> {
    let widest = parameters.iter().map(|parameter| parameter.name.len()).max().unwrap_or(0);
    for parameter in parameters {
        let default = match &parameter.default {
            _ if parameter.is_required => "must be given".to_owned(),
            Json::Null => "default none".to_owned(),
            Json::String(word) => format!("default {word:?}"),
            other => format!("default {other}"),
        };
        let unit =
            if parameter.unit.is_empty() { String::new() } else { format!(" {}", parameter.unit) };
        writeln!(out, "    {:<widest$}  {}", parameter.name, parameter.about)?;
        let see = match parameter.word {
            Some(word) => format!(" (see `landform stages {word}`)"),
            None => String::new(),
        };
        let only = parameter.only_with.as_ref().map_or_else(String::new, |only| {
            format!("; only with `{}` = {}", only.parameter, only.words.join(", "))
        });
        writeln!(out, "    {:<widest$}  {}{unit}, {default}{see}{only}", "", parameter.allowed)?;
    }
    writeln!(out)?;
    Ok(())
}
