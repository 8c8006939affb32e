//! `cargo xtask graph`: which folders of the core use which, and that none of them uses itself through others.
//!
//! A folder, or a file beside the folders, is one node. It uses another if its code names it: in a `use`, or by a path that begins
//! with `crate` or `super`. Names that `lib.rs` passes on count for the module that defines them. Tests do not count.
//!
//! `stage.rs` holds two things: [the closed list of stages](LIST), which uses every folder with a stage in it, and the
//! traits that each of those stages implements. To name the list is a use like any other; to name the traits is not counted, since every
//! stage does it and the list by its nature names every stage.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;

use anyhow::{Context as _, Result, bail, ensure};

use crate::project::Project;
use crate::source::{self, Module, Sources, Token};
use crate::test::Outcome;
use crate::{refuse_rest, take_flag};

/// The file of the closed list of stages, and the name of the list.
const LIST: (&str, &str) = ("stage", "Stage");
/// The sources of the core.
const CORE: &str = "crates/landform/src";
/// The document that shows the graph, and the heading that it stands under.
const DOCUMENT: (&str, &str) = ("ARCHITECTURE.md", "## The folders of the core");

/// How the block begins that holds the graph.
const BLOCK: &str = "```text\n";

/// Draws the graph, or writes it into the architecture with `--write`.
pub(crate) fn task(project: &Project, words: &[String]) -> Result<()> {
    let mut words = words.to_vec();
    let (mermaid, write) = (take_flag(&mut words, "--mermaid"), take_flag(&mut words, "--write"));
    refuse_rest(&words)?;
    let graph = Graph::of_core(project)?;
    if write {
        let path = project.root.join(DOCUMENT.0);
        let mut document = std::fs::read_to_string(&path)?;
        document.replace_range(shown(&document)?, &graph.to_text()?);
        std::fs::write(&path, document)?;
        return Ok(());
    }
    // A graph with a cycle is refused in either form.
    let text = graph.to_text()?;
    print!("{}", if mermaid { graph.to_mermaid() } else { text });
    Ok(())
}

/// Checks that there is no cycle, and that the architecture shows the graph as it is.
pub(crate) fn step(project: &Project) -> Result<Outcome> {
    let graph = Graph::of_core(project)?;
    let text = graph.to_text()?;
    let document = std::fs::read_to_string(project.root.join(DOCUMENT.0))?;
    ensure!(
        document[shown(&document)?] == text,
        "{} shows another graph of the core; `cargo xtask graph --write` writes it anew",
        DOCUMENT.0
    );
    Ok(Outcome::Passed(format!("{} folders without a cycle", graph.nodes.len())))
}

/// The bytes of the graph in the document.
fn shown(document: &str) -> Result<Range<usize>> {
    let (name, heading) = DOCUMENT;
    let find = |from: usize, what: &str| document[from..].find(what).map(|at| from + at);
    let start = find(0, heading).and_then(|at| find(at, BLOCK)).map(|at| at + BLOCK.len());
    let range = start.and_then(|start| Some(start..find(start, "```")?));
    range.with_context(|| format!("{name} has no text block under {heading:?}"))
}

/// Where a node names another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    file: String,
    path: String,
}

/// Who uses whom.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    nodes: BTreeSet<String>,
    /// The uses of the second node by the first.
    edges: BTreeMap<String, BTreeMap<String, BTreeSet<Use>>>,
    /// The nodes that name a trait of the [list's](LIST) file.
    implementors: BTreeSet<String>,
}

impl Graph {
    /// The graph of the core.
    pub(crate) fn of_core(project: &Project) -> Result<Self> {
        Self::of(&source::read(&project.root, &[CORE])?, CORE)
    }

    /// The graph of the package whose `lib.rs` lies in `folder`.
    fn of(sources: &Sources, folder: &str) -> Result<Self> {
        let modules = source::modules(sources, &format!("{folder}/lib.rs"))?;
        let (roots, inner): (Vec<&Module>, Vec<&Module>) =
            modules.iter().partition(|module| module.path.is_empty());
        let nodes: BTreeSet<String> = inner.iter().map(|module| module.path[0].clone()).collect();
        let mut passed_on = BTreeMap::new();
        for path in roots.iter().flat_map(|root| paths(root)) {
            if let [module, .., name] = &path[..]
                && nodes.contains(module)
            {
                passed_on.insert(name.clone(), module.clone());
            }
        }
        let mut graph = Self { nodes, ..Self::default() };
        for module in inner {
            let from = &module.path[0];
            for path in paths(module) {
                let Some(first) = path.first() else { continue };
                let to = match (graph.nodes.get(first), passed_on.get(first)) {
                    (Some(node), _) | (None, Some(node)) => node.clone(),
                    (None, None) => bail!(
                        "{}: `crate::{}` is neither a module nor a name that lib.rs passes on",
                        module.file,
                        path.join("::")
                    ),
                };
                if to == LIST.0 && path.get(1).is_some_and(|name| name != LIST.1) {
                    graph.implementors.insert(from.clone());
                } else if to != *from {
                    let uses = graph.edges.entry(from.clone()).or_default().entry(to).or_default();
                    uses.insert(Use { file: module.file.clone(), path: path.join("::") });
                }
            }
        }
        graph.implementors.remove(LIST.0);
        Ok(graph)
    }

    fn uses(&self, node: &str) -> impl Iterator<Item = &str> {
        self.edges.get(node).into_iter().flatten().map(|(to, _)| to.as_str())
    }

    /// All that is reached from a node by at least one step.
    fn reached(&self, node: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&str> = self.uses(node).collect();
        while let Some(next) = open.pop() {
            if reached.insert(next) {
                open.extend(self.uses(next));
            }
        }
        reached
    }

    /// The groups of nodes that reach each other, by name.
    pub(crate) fn cycles(&self) -> Vec<Vec<&str>> {
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            self.nodes.iter().map(|node| (node.as_str(), self.reached(node))).collect();
        let mut groups = BTreeSet::new();
        for (&node, from_here) in &reached {
            if from_here.contains(node) {
                let is_in = |other: &&&str| reached[**other].contains(node);
                groups.insert(from_here.iter().filter(is_in).copied().collect::<Vec<_>>());
            }
        }
        groups.into_iter().collect()
    }

    /// What a group of nodes that reach each other is told: each use within it.
    fn told(&self, group: &[&str]) -> String {
        let mut text = format!("{} use each other:\n", group.join(", "));
        for &from in group {
            for (to, uses) in self.edges.get(from).into_iter().flatten() {
                if group.contains(&to.as_str()) {
                    for Use { file, path } in uses {
                        let _ = writeln!(text, "  {from} → {to}  {file} names {path}");
                    }
                }
            }
        }
        text
    }

    /// How many steps down the longest way goes from each node. The graph must have no cycle.
    fn levels(&self) -> BTreeMap<&str, usize> {
        fn level<'a>(
            graph: &'a Graph,
            node: &'a str,
            known: &mut BTreeMap<&'a str, usize>,
        ) -> usize {
            if let Some(&level) = known.get(node) {
                return level;
            }
            let below = graph.uses(node).map(|next| level(graph, next, known) + 1).max();
            known.insert(node, below.unwrap_or(0));
            below.unwrap_or(0)
        }
        let mut known = BTreeMap::new();
        for node in &self.nodes {
            level(self, node, &mut known);
        }
        known
    }

    /// The uses of a node that it does not also reach through another use.
    fn direct(&self, node: &str) -> Vec<&str> {
        let through: BTreeSet<&str> = self.uses(node).flat_map(|next| self.reached(next)).collect();
        self.uses(node).filter(|next| !through.contains(next)).collect()
    }

    /// The nodes level by level, the uppermost first, each with its uses.
    ///
    /// # Errors
    /// If nodes use each other, with the places.
    fn to_text(&self) -> Result<String> {
        let cycles = self.cycles();
        if !cycles.is_empty() {
            let told: String = cycles.iter().map(|group| self.told(group)).collect();
            bail!("folders must use each other one way only\n{told}");
        }
        let levels = self.levels();
        let widest = self.nodes.iter().map(|node| node.len()).max().unwrap_or(0);
        let top = levels.values().copied().max().unwrap_or(0);
        let mut text = String::new();
        for level in (0..=top).rev() {
            let here = self.nodes.iter().filter(|node| levels[node.as_str()] == level);
            if level == 0 {
                let names: Vec<&str> = here.map(String::as_str).collect();
                let _ = writeln!(text, " 0  {}", names.join(", "));
                continue;
            }
            for (index, node) in here.enumerate() {
                let number = if index == 0 { format!("{level:>2}") } else { "  ".to_owned() };
                let _ =
                    writeln!(text, "{number}  {node:<widest$} → {}", self.direct(node).join(", "));
            }
        }
        let (file, list) = LIST;
        if !self.implementors.is_empty() {
            let names: Vec<&str> = self.implementors.iter().map(String::as_str).collect();
            let _ =
                write!(text, "\nNot counted: the traits beside `{list}` in {file}.rs, named by ");
            let _ = writeln!(text, "{}", names.join(", "));
        }
        Ok(text)
    }

    /// The same for programs that draw Mermaid.
    fn to_mermaid(&self) -> String {
        let mut text = "graph TD\n".to_owned();
        for node in &self.nodes {
            for next in self.direct(node) {
                let _ = writeln!(text, "  {node} --> {next}");
            }
        }
        text
    }
}

/// The paths that a file names and that begin at the root of its package, without `crate`.
fn paths(module: &Module) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    // Modules that are written within the file, and where they end.
    let mut inline: Vec<(usize, &str)> = Vec::new();
    let tokens = &module.tokens;
    let mut at = 0;
    while at < tokens.len() {
        inline.retain(|&(end, _)| at < end);
        let here = || {
            let inline = inline.iter().map(|&(_, name)| name.to_owned());
            module.path.iter().cloned().chain(inline).collect::<Vec<_>>()
        };
        let is_path = |word: &str| ["crate", "super", "self"].contains(&word);
        match (&tokens[at], tokens.get(at + 1), tokens.get(at + 2)) {
            (word, Some(name), Some(Token::Mark("{"))) if word.is("mod") => {
                inline.extend(name.name().map(|name| (source::closing(tokens, at + 2), name)));
                at += 3;
            }
            (word, ..) if word.is("use") => {
                let mut found = Vec::new();
                at = tree(tokens, at + 1, &[], &mut found);
                paths.extend(found.iter().filter_map(|path| from_root(path, &here())));
            }
            (Token::Word(word), Some(Token::Mark("::")), _) if is_path(word) => {
                let mut path = vec![word.clone()];
                at += 1;
                while let (Some(Token::Mark("::")), Some(Token::Word(name))) =
                    (tokens.get(at), tokens.get(at + 1))
                {
                    path.push(name.clone());
                    at += 2;
                }
                paths.extend(from_root(&path, &here()));
            }
            _ => at += 1,
        }
    }
    paths
}

/// Reads the tree of names of a `use`, and gives where it ends.
fn tree(tokens: &[Token], mut at: usize, before: &[String], found: &mut Vec<Vec<String>>) -> usize {
    let mut path = before.to_vec();
    while at < tokens.len() {
        match &tokens[at] {
            Token::Mark("{") => {
                let end = source::closing(tokens, at);
                at += 1;
                while at < end {
                    at = tree(tokens, at, &path, found);
                    at += usize::from(at < end);
                }
                return end + 1;
            }
            Token::Mark("," | "}" | ";") => break,
            // What it is called here does not matter.
            Token::Word(word) if word == "as" => at += 1,
            Token::Word(word) if word != "self" || path.is_empty() => path.push(word.clone()),
            _ => {}
        }
        at += 1;
    }
    if path.len() > before.len() || !before.is_empty() {
        found.push(path);
    }
    at
}

/// A path as it reads from the root of the package; nothing for one that begins in another package.
fn from_root(path: &[String], here: &[String]) -> Option<Vec<String>> {
    let mut base = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "super" | "self" => here.to_vec(),
        // In the root, names of modules need no `crate`.
        _ if here.is_empty() => return Some(path.to_vec()),
        _ => return None,
    };
    let mut rest = path;
    while let Some((first, next)) = rest.split_first() {
        match first.as_str() {
            "crate" | "self" => {}
            "super" => drop(base.pop()),
            _ => break,
        }
        rest = next;
    }
    base.extend_from_slice(rest);
    Some(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(files: &[(&str, &str)]) -> Result<Graph> {
        let sources = files.iter().map(|(path, text)| (format!("s/{path}"), (*text).to_owned()));
        Graph::of(&sources.collect(), "s")
    }

    const ROOT: (&str, &str) = ("lib.rs", "pub mod a; mod b; pub mod c; pub use c::{Grid};");

    #[test]
    fn folders_stand_above_what_they_use() {
        let graph = graph(&[
            ROOT,
            ("a/mod.rs", "mod part; use crate::{Grid, b::{self, Thing as Other}};"),
            ("a/part.rs", "use super::own; fn f() { super::super::c::g(); self::x::y() }"),
            ("b.rs", "use std::fmt; // use crate::a;\nconst X: &str = \"crate::a\"; fn f(_: crate::c::T) {}"),
            ("c.rs", "#[cfg(test)] mod tests { use crate::a; }"),
        ])
        .unwrap();
        assert_eq!(graph.to_text().unwrap(), " 2  a → b\n 1  b → c\n 0  c\n");
        assert_eq!(graph.to_mermaid(), "graph TD\n  a --> b\n  b --> c\n");
        let uses: Vec<_> = graph.edges["a"]["c"].iter().map(|used| used.path.as_str()).collect();
        assert_eq!(uses, ["Grid", "c::g"]);
    }

    #[test]
    fn a_cycle_is_refused_and_its_uses_are_named() {
        let graph = graph(&[
            ROOT,
            ("a.rs", "use crate::b;"),
            ("b.rs", "mod inner { use super::super::Grid; }"),
            ("c.rs", "fn f() { crate::a::g() }"),
        ])
        .unwrap();
        assert_eq!(graph.cycles(), [["a", "b", "c"]]);
        let error = graph.to_text().unwrap_err().to_string();
        for line in [
            "a, b, c use each other",
            "a → b  s/a.rs names b",
            "b → c  s/b.rs names Grid",
            "c → a  s/c.rs names a::g",
        ] {
            assert!(error.contains(line), "{line}: {error}");
        }
    }

    #[test]
    fn stages_may_name_the_traits_beside_the_list_but_not_the_list() {
        let root = ("lib.rs", "mod stage; mod erosion; mod recipe;");
        let list = ("stage.rs", "use crate::erosion::Thermal;");
        let erosion = ("erosion.rs", "use crate::stage::{Field, Operator};");
        let recipe = ("recipe.rs", "use crate::stage::Stage;");
        let good = graph(&[root, list, erosion, recipe]).unwrap();
        let expected = " 2  recipe  → stage\n 1  stage   → erosion\n 0  erosion\n\n\
            Not counted: the traits beside `Stage` in stage.rs, named by erosion\n";
        assert_eq!(good.to_text().unwrap(), expected);
        for wrong in ["use crate::stage::{Field, Stage};", "use crate::stage;"] {
            let bad = graph(&[root, list, ("erosion.rs", wrong), recipe]).unwrap();
            assert_eq!(bad.cycles(), [["erosion", "stage"]], "{wrong}");
        }
    }

    #[test]
    fn a_name_that_nothing_defines_is_told() {
        let error = graph(&[("lib.rs", "mod a;"), ("a.rs", "use crate::Gird;")]).unwrap_err();
        assert!(error.to_string().contains("s/a.rs: `crate::Gird` is neither"), "{error}");
    }

    #[test]
    fn the_graph_in_a_document_is_the_block_under_its_heading() {
        let document =
            "```text\nno\n```\n## The folders of the core\n\nWords.\n\n```text\nyes\n```\n";
        assert_eq!(&document[shown(document).unwrap()], "yes\n");
        let empty = document.replace("yes\n", "");
        assert_eq!(shown(&empty).unwrap().len(), 0);
        assert!(shown("nothing").is_err());
    }
}
