//! What we depend on: licences, packages that are there twice, packages that nobody may ask for, and where all come from.
//!
//! Cargo knows all of it (`cargo metadata`), for every platform. The lists below are the decisions; an entry that nothing needs
//! any longer fails too, so that they stay short. Known vulnerabilities are another matter: their list is on the network.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use crate::project::Project;
use crate::test::Outcome;

/// Licences that ask for no more than to be named.
const LICENCES: &[&str] = &[
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Zlib",
];

/// Licences that ask for more, and the only packages that we take under them.
const EXCEPTIONS: &[(&str, &str)] = &[
    // The fonts of the studio: they may be passed on as they are.
    ("epaint_default_fonts", "OFL-1.1"),
    ("epaint_default_fonts", "Ubuntu-font-1.0"),
    // A change of its files would have to be published; we change none.
    ("option-ext", "MPL-2.0"),
    // For benchmarks only.
    ("colored", "MPL-2.0"),
];

/// Packages that are there in several versions, by what keeps the old one.
const TWICE: &[(&str, &[&str])] = &[
    (
        "winit, and what it asks of each platform",
        &[
            "bitflags",
            "block2",
            "jni-sys",
            "linux-raw-sys",
            "objc2",
            "objc2-app-kit",
            "objc2-foundation",
            "objc2-metal",
            "objc2-quartz-core",
            "objc2-ui-kit",
            "redox_syscall",
            "rustix",
            "thiserror",
            "thiserror-impl",
            "windows-sys",
        ],
    ),
    ("wgpu", &["foldhash", "hashbrown", "rustc-hash"]),
    ("other parts of the window: vello and rfd", &["fearless_simd", "pollster"]),
    ("exr and png", &["miniz_oxide"]),
    ("ahash", &["getrandom", "r-efi"]),
    ("macros that are moving to the new version", &["syn"]),
    (
        "benchmarks and property tests",
        &["cfg-if", "itertools", "rand", "rand_core", "rand_xorshift"],
    ),
    ("exr, and a benchmark", &["paste"]),
];

/// Packages that nobody may ask for but these, and why.
const BANNED: &[(&str, &[&str], &str)] = &[
    (
        "paste",
        &["pulp", "simdeez"],
        "nobody maintains it; exr still needs it, while it is compiled",
    ),
    ("openssl-sys", &[], "no part of Landform uses the network"),
    ("native-tls", &[], "no part of Landform uses the network"),
    ("rustls", &[], "no part of Landform uses the network"),
    ("hyper", &[], "no part of Landform uses the network"),
];

/// What the core asks for directly. It does no input and no output, has no clock and draws no random numbers.
const CORE: &[&str] = &[
    "fearless_simd",
    "libm",
    "rayon",
    "schemars",
    "serde",
    "serde_json",
    "thiserror",
    "toml_edit",
];

/// Where packages of others come from.
const SOURCE: &str = "registry+https://github.com/rust-lang/crates.io-index";

pub(crate) fn step(project: &Project) -> Result<Outcome> {
    let metadata = project.cargo(["metadata", "--format-version", "1", "--locked"]).read()?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let packages = packages(&metadata)?;
    let mut faults = licence_faults(&packages)?;
    faults.extend(duplicates(&packages));
    faults.extend(banned(&packages));
    faults.extend(strangers(&packages));
    faults.extend(packages.iter().filter(|package| package.name == "landform").flat_map(|core| {
        let others = core.asks_for.iter().filter(|name| !CORE.contains(&name.as_str()));
        others.map(|name| format!("the core asks for {name}"))
    }));
    ensure!(faults.is_empty(), "{}\nthe lists are in xtask/src/deny.rs", faults.join("\n"));
    Ok(Outcome::Passed(format!("{} packages", packages.len())))
}

/// A package, ours or another's.
#[derive(Debug, Default)]
struct Package {
    name: String,
    version: String,
    licence: String,
    /// Nothing if it is ours.
    source: Option<String>,
    /// Names of the packages that need it, in the lock file, and of those that it asks for outside tests.
    asked_by: BTreeSet<String>,
    asks_for: BTreeSet<String>,
}

fn packages(metadata: &Value) -> Result<Vec<Package>> {
    let text = |value: &Value, key: &str| value[key].as_str().map(str::to_owned);
    let list = metadata["packages"].as_array().context("no packages")?;
    let mut packages = BTreeMap::new();
    for entry in list {
        let dependencies = entry["dependencies"].as_array().into_iter().flatten();
        let package = Package {
            name: text(entry, "name").context("a package without a name")?,
            version: text(entry, "version").unwrap_or_default(),
            licence: text(entry, "license").unwrap_or_default(),
            source: text(entry, "source"),
            asked_by: BTreeSet::new(),
            // The kind of what a program is made of is null.
            asks_for: dependencies
                .filter(|dependency| dependency["kind"].is_null())
                .filter_map(|dependency| text(dependency, "name"))
                .collect(),
        };
        packages.insert(text(entry, "id").context("a package without an id")?, package);
    }
    for node in metadata["resolve"]["nodes"].as_array().context("nothing is resolved")? {
        let id = text(node, "id").unwrap_or_default();
        let asking = packages.get(&id).map(|package| package.name.clone()).unwrap_or_default();
        for dependency in node["deps"].as_array().into_iter().flatten() {
            if let Some(package) = packages.get_mut(dependency["pkg"].as_str().unwrap_or_default())
            {
                package.asked_by.insert(asking.clone());
            }
        }
    }
    Ok(packages.into_values().collect())
}

fn licence_faults(packages: &[Package]) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let mut unused: BTreeSet<_> = EXCEPTIONS.iter().collect();
    for package in packages.iter().filter(|package| package.source.is_some()) {
        let plainly = |licence: &str| LICENCES.contains(&licence);
        let own = |licence: &str| EXCEPTIONS.contains(&(package.name.as_str(), licence));
        let Package { name, version, licence, .. } = package;
        let allows = |is_allowed: &dyn Fn(&str) -> bool| {
            allows(licence, is_allowed).with_context(|| format!("licence of {name} {version}"))
        };
        if allows(&plainly)? {
            continue;
        }
        if allows(&|licence| plainly(licence) || own(licence))? {
            unused.retain(|exception| exception.0 != name);
        } else {
            faults.push(format!("{name} {version} is under {licence}"));
        }
    }
    faults.extend(unused.iter().map(|(name, licence)| {
        format!("no exception from the licences is needed for {name} under {licence}")
    }));
    Ok(faults)
}

/// Whether an expression of SPDX can be met with licences that are allowed.
fn allows(expression: &str, is_allowed: &dyn Fn(&str) -> bool) -> Result<bool> {
    // Old packages write a slash for OR.
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let met = any_of(&mut rest, is_allowed)?;
    ensure!(rest.is_empty(), "cannot understand {expression:?}");
    Ok(met)
}

fn any_of(words: &mut &[&str], is_allowed: &dyn Fn(&str) -> bool) -> Result<bool> {
    let mut met = all_of(words, is_allowed)?;
    while let Some((&"OR", rest)) = words.split_first() {
        *words = rest;
        met |= all_of(words, is_allowed)?;
    }
    Ok(met)
}

fn all_of(words: &mut &[&str], is_allowed: &dyn Fn(&str) -> bool) -> Result<bool> {
    let mut met = one(words, is_allowed)?;
    while let Some((&"AND", rest)) = words.split_first() {
        *words = rest;
        met &= one(words, is_allowed)?;
    }
    Ok(met)
}

fn one(words: &mut &[&str], is_allowed: &dyn Fn(&str) -> bool) -> Result<bool> {
    match **words {
        ["(", ref rest @ ..] => {
            *words = rest;
            let met = any_of(words, is_allowed)?;
            let Some((&")", rest)) = words.split_first() else { bail!("a bracket stays open") };
            *words = rest;
            Ok(met)
        }
        [licence, "WITH", exception, ref rest @ ..] => {
            *words = rest;
            Ok(is_allowed(&format!("{licence} WITH {exception}")))
        }
        [licence, ref rest @ ..] if !["AND", "OR", "WITH", ")"].contains(&licence) => {
            *words = rest;
            Ok(is_allowed(licence))
        }
        _ => bail!("a licence is missing"),
    }
}

/// Packages in several versions that are not listed, and listed ones that are there once.
fn duplicates(packages: &[Package]) -> Vec<String> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages {
        versions.entry(&package.name).or_default().push(&package.version);
    }
    let known: BTreeSet<&str> = TWICE.iter().flat_map(|(_, names)| *names).copied().collect();
    let is_new =
        |(name, versions): &(&&str, &Vec<&str>)| versions.len() > 1 && !known.contains(**name);
    let new = versions.iter().filter(is_new);
    let new = new.map(|(name, versions)| format!("{name} is there as {}", versions.join(" and ")));
    let is_once = |name: &&&str| versions.get(**name).is_none_or(|versions| versions.len() == 1);
    let gone = known.iter().filter(is_once).map(|name| format!("{name} is there only once now"));
    new.chain(gone).collect()
}

fn banned(packages: &[Package]) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, but, why) in BANNED {
        for package in packages.iter().filter(|package| package.name == *name) {
            let others = package.asked_by.iter().filter(|by| !but.contains(&by.as_str()));
            faults.extend(others.map(|by| format!("{by} asks for {name}: {why}")));
        }
    }
    faults
}

fn strangers(packages: &[Package]) -> Vec<String> {
    let is_strange =
        |package: &&Package| package.source.as_deref().is_some_and(|source| source != SOURCE);
    let named = |package: &Package| {
        format!("{} comes from {}", package.name, package.source.as_deref().unwrap_or_default())
    };
    packages.iter().filter(is_strange).map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, version: &str, licence: &str) -> Package {
        let [name, version, licence] = [name, version, licence].map(str::to_owned);
        Package { name, version, licence, source: Some(SOURCE.to_owned()), ..Package::default() }
    }

    #[test]
    fn an_expression_is_met_by_one_side_of_or_and_both_sides_of_and() {
        let mit = |expression: &str| allows(expression, &|licence| licence == "MIT").unwrap();
        assert!(mit("MIT") && mit("MIT OR GPL-3.0") && mit("GPL-3.0/MIT") && mit("MIT / ISC"));
        assert!(!mit("GPL-3.0") && !mit("MIT AND GPL-3.0") && !mit("MIT WITH x"));
        // AND binds more tightly than OR.
        assert!(mit("GPL-3.0 AND ISC OR MIT") && !mit("(MIT OR ISC) AND (ISC OR BSD)"));
        assert!(mit("(MIT OR ISC) AND (BSD OR MIT)"));
        for wrong in ["", "MIT OR", "(MIT", "MIT)", "AND MIT", "MIT ISC"] {
            assert!(allows(wrong, &|_| true).is_err(), "{wrong}");
        }
    }

    #[test]
    fn another_licence_a_second_version_and_another_source_are_faults() {
        let mut packages = vec![package("new", "1.0", "MIT"), package("new", "2.0", "GPL-3.0")];
        packages[0].source = Some("git+https://example.org".to_owned());
        let faults = licence_faults(&packages).unwrap();
        assert!(faults.contains(&"new 2.0 is under GPL-3.0".to_owned()), "{faults:?}");
        assert!(duplicates(&packages).contains(&"new is there as 1.0 and 2.0".to_owned()));
        assert_eq!(strangers(&packages), ["new comes from git+https://example.org"]);
        // Fonts are allowed for the package of fonts only.
        let fonts = [package("fonts", "1.0", "OFL-1.1")];
        assert!(licence_faults(&fonts).unwrap().contains(&"fonts 1.0 is under OFL-1.1".to_owned()));
    }

    #[test]
    fn what_is_banned_may_be_asked_for_by_those_named_only() {
        let mut paste = package("paste", "1.0", "MIT");
        paste.asked_by = ["pulp", "landform"].map(str::to_owned).into();
        let faults = banned(&[paste]);
        assert_eq!(faults.len(), 1);
        assert!(
            faults[0].starts_with("landform asks for paste: nobody maintains it"),
            "{faults:?}"
        );
    }
}
