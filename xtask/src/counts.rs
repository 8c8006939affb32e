//! `cargo xtask counts`: how the code stands, in numbers taken from the source.
//!
//! All counts leave out tests: code under `#[cfg(test)]`, and the folders `tests`, `benches` and `examples`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::Result;

use crate::graph::Graph;
use crate::project::Project;
use crate::refuse_rest;
use crate::source::{self, Module, Sources, Token};

/// Folders with packages.
const FOLDERS: &[&str] = &["crates", "apps", "bindings", "xtask", "fuzz"];
/// The package that everything else uses.
const CORE: &str = "crates/landform/";
/// Files with more lines should be split.
const LONG: usize = 600;
/// Functions with fewer tokens in their body may be alike by chance.
const LEAST_BODY: usize = 20;

/// Prints the counts.
pub(crate) fn task(project: &Project, words: &[String]) -> Result<()> {
    refuse_rest(words)?;
    let sources = source::read(&project.root, FOLDERS)?;
    let modules = all_modules(&sources)?;
    let graph = Graph::of_core(project)?;
    print!("{}{}", report(&sources, &modules), cycles(&graph));
    Ok(())
}

/// The modules of every package, each file once.
fn all_modules(sources: &Sources) -> Result<Vec<Module>> {
    let mut modules = BTreeMap::new();
    let is_root = |file: &&String| file.ends_with("/src/lib.rs") || file.ends_with("/src/main.rs");
    for root in sources.keys().filter(is_root) {
        for module in source::modules(sources, root)? {
            modules.insert(module.file.clone(), module);
        }
    }
    Ok(modules.into_values().collect())
}

fn report(sources: &Sources, modules: &[Module]) -> String {
    let core: Vec<&Module> =
        modules.iter().filter(|module| module.file.starts_with(CORE)).collect();
    let mut text = String::new();
    names(&mut text, modules);
    traits(&mut text, &core);
    let tuples = core.iter().map(|module| tuple_parameters(&module.tokens)).sum::<usize>();
    let _ = writeln!(text, "\nFunctions of the core with a tuple pattern as a parameter: {tuples}");
    public_items(&mut text, &core, sources);
    duplicates(&mut text, modules);
    files(&mut text, sources, modules);
    text
}

/// The folders of the core that use each other.
fn cycles(graph: &Graph) -> String {
    let cycles = graph.cycles();
    let mut text = format!("\nCycles between folders of the core: {}\n", cycles.len());
    for group in cycles {
        let _ = writeln!(text, "  {}", group.join(", "));
    }
    text
}

/// Names that several types have.
fn names(text: &mut String, modules: &[Module]) {
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for module in modules {
        for name in types(&module.tokens) {
            places.entry(name).or_default().push(&module.file);
        }
    }
    let mut repeated: Vec<_> = places.iter().filter(|(_, files)| files.len() > 1).collect();
    repeated.sort_by_key(|(name, files)| (usize::MAX - files.len(), **name));
    let _ = writeln!(text, "Types (struct, enum, union, trait, type): {} names", places.len());
    let _ = writeln!(text, "Names with several types: {}", repeated.len());
    for (name, files) in repeated {
        let _ = writeln!(text, "  {:>2} {name}: {}", files.len(), files.join(" "));
    }
}

/// The names of the types that a file defines, those within functions too. Associated types are none.
fn types(tokens: &[Token]) -> Vec<&str> {
    let mut names = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        let Some(name) = pair[1].name() else { continue };
        let is_definition = match &pair[0] {
            Token::Word(word) => match word.as_str() {
                // `union` is a name elsewhere.
                "struct" | "enum" | "trait" => true,
                "union" => tokens.get(at + 2).is_some_and(|next| next.is("{")),
                "type" => !is_associated(tokens, at),
                _ => false,
            },
            _ => false,
        };
        if is_definition {
            names.push(name);
        }
    }
    names
}

/// Whether what stands at `at` belongs to an `impl` or a trait.
fn is_associated(tokens: &[Token], at: usize) -> bool {
    let mut depth = 0;
    for open in (0..at).rev() {
        match tokens[open] {
            Token::Mark("}") => depth += 1,
            Token::Mark("{") if depth > 0 => depth -= 1,
            Token::Mark("{") => {
                let head = item_head(tokens, open);
                return head.iter().any(|word| word.is("impl") || word.is("trait"))
                    && !head.iter().any(|word| word.is("fn"));
            }
            _ => {}
        }
    }
    false
}

/// The tokens of an item before its block.
fn item_head(tokens: &[Token], open: usize) -> &[Token] {
    let is_end = |token: &Token| matches!(token, Token::Mark("{" | "}" | ";"));
    let start = tokens[..open].iter().rposition(is_end).map_or(0, |end| end + 1);
    &tokens[start..open]
}

/// The traits of the core: methods, and defaults that must not be called.
fn traits(text: &mut String, core: &[&Module]) {
    let mut found = Vec::new();
    for module in core {
        let tokens = &module.tokens;
        for at in 0..tokens.len() {
            if !tokens[at].is("trait") {
                continue;
            }
            let Some(name) = tokens.get(at + 1).and_then(Token::name) else { continue };
            let Some(open) = tokens[at..].iter().position(|token| token.is("{")) else { continue };
            let body = &tokens[at + open..=source::closing(tokens, at + open)];
            let refusals =
                body.windows(2).filter(|pair| pair[0].is("unreachable") && pair[1].is("!")).count();
            found.push((methods(body), name, refusals));
        }
    }
    found.sort_by_key(|&(methods, name, _)| (usize::MAX - methods, name));
    let refusals: usize = found.iter().map(|&(.., refusals)| refusals).sum();
    let _ = writeln!(text, "\nTraits of the core: {} (with their methods)", found.len());
    for (methods, name, _) in &found {
        let _ = writeln!(text, "  {methods:>2} {name}");
    }
    let _ = writeln!(text, "`unreachable!` in defaults of these traits: {refusals}");
}

/// The functions directly in a block.
fn methods(block: &[Token]) -> usize {
    let (mut count, mut at) = (0, 1);
    while at < block.len() {
        match &block[at] {
            Token::Mark("{") => at = source::closing(block, at),
            word if word.is("fn") => count += 1,
            _ => {}
        }
        at += 1;
    }
    count
}

/// A function: where its parts stand among the tokens of its file.
struct Function<'a> {
    name: &'a str,
    parameters: &'a [Token],
    /// Empty if it is declared only.
    body: &'a [Token],
    /// Whether it carries out what a trait asks for.
    is_of_trait: bool,
}

fn functions(tokens: &[Token]) -> Vec<Function<'_>> {
    let mut found = Vec::new();
    // Blocks of `impl Trait for Type`.
    let mut trait_ends = Vec::new();
    for at in 0..tokens.len() {
        trait_ends.retain(|&end| at < end);
        if tokens[at].is("{") {
            let head = item_head(tokens, at);
            let is_impl = head.iter().any(|word| word.is("impl"))
                && head.iter().any(|word| word.is("for"))
                && !head.iter().any(|word| word.is("fn"));
            trait_ends.extend(is_impl.then(|| source::closing(tokens, at)));
        }
        let Some(name) = tokens.get(at + 1).and_then(Token::name) else { continue };
        if !tokens[at].is("fn") {
            continue;
        }
        let mut open = at + 2;
        if tokens.get(open).is_some_and(|token| token.is("<")) {
            open = behind_generics(tokens, open);
        }
        if !tokens.get(open).is_some_and(|token| token.is("(")) {
            continue;
        }
        let close = source::closing(tokens, open);
        let is_end = |token: &Token| matches!(token, Token::Mark("{" | ";"));
        let body = match tokens[close..].iter().position(is_end).map(|end| close + end) {
            Some(start) if tokens[start].is("{") => &tokens[start..=source::closing(tokens, start)],
            _ => &[],
        };
        let parameters = &tokens[open + 1..close];
        found.push(Function { name, parameters, body, is_of_trait: !trait_ends.is_empty() });
    }
    found
}

/// Behind `<…>`; the arrow of `Fn() -> T` closes nothing.
fn behind_generics(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for at in open..tokens.len() {
        match tokens[at] {
            Token::Mark("<") => depth += 1,
            Token::Mark(">") if !tokens[at - 1].is("-") => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// How many functions have a tuple pattern as a parameter.
fn tuple_parameters(tokens: &[Token]) -> usize {
    let has_tuple = |function: &Function<'_>| {
        let parameters = function.parameters;
        let mut at = 0;
        let mut is_start = true;
        while at < parameters.len() {
            match &parameters[at] {
                Token::Mark("(") if is_start => return true,
                Token::Mark("(" | "[" | "{") => at = source::closing(parameters, at),
                Token::Mark("<") => at = behind_generics(parameters, at) - 1,
                _ => {}
            }
            is_start = parameters[at].is(",") || (is_start && parameters[at].is("&"));
            at += 1;
        }
        false
    };
    functions(tokens).iter().filter(|function| has_tuple(function)).count()
}

/// The public items of the core beside methods, and those that no other package names.
fn public_items(text: &mut String, core: &[&Module], sources: &Sources) {
    let mut named = BTreeSet::new();
    for (_, source) in sources.iter().filter(|(file, _)| !file.starts_with(CORE)) {
        let words = source::tokens(source);
        named.extend(words.iter().filter_map(Token::name).map(str::to_owned));
    }
    let mut items = Vec::new();
    for module in core {
        let found = public(&module.tokens);
        items.extend(found.into_iter().map(|name| (name, module.path.join("::"))));
    }
    items.sort();
    let unnamed: Vec<_> = items.iter().filter(|(name, _)| !named.contains(*name)).collect();
    let _ = writeln!(text, "\nPublic items of the core: {}", items.len());
    let _ = writeln!(text, "Of these, no other package names: {}", unnamed.len());
    for (name, module) in unnamed {
        let _ = writeln!(text, "  {module}::{name}");
    }
}

/// The names of the items of a file that are `pub`, outside of blocks.
fn public(tokens: &[Token]) -> Vec<&str> {
    const KEYWORDS: &[&str] = &["fn", "struct", "enum", "trait", "type", "const", "static"];
    let mut names = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].is("{") {
            at = source::closing(tokens, at);
        } else if tokens[at].is("pub") {
            let mut word = at + 1;
            // `const fn`
            while tokens.get(word).is_some_and(|token| token.is("const"))
                && tokens.get(word + 1).is_some_and(|token| token.is("fn"))
            {
                word += 1;
            }
            let is_item = |token: &Token| KEYWORDS.iter().any(|keyword| token.is(keyword));
            if tokens.get(word).is_some_and(is_item) {
                names.extend(tokens.get(word + 1).and_then(Token::name));
            }
        }
        at += 1;
    }
    names
}

/// Functions that are written more than once, word for word.
fn duplicates(text: &mut String, modules: &[Module]) {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for module in modules {
        for function in functions(&module.tokens) {
            if function.body.len() >= LEAST_BODY && !function.is_of_trait {
                let body = format!("{:?} {:?}", function.parameters, function.body);
                let place = format!("{} ({})", function.name, module.file);
                places.entry(body).or_default().push(place);
            }
        }
    }
    let mut repeated: Vec<_> = places.into_values().filter(|places| places.len() > 1).collect();
    repeated.sort();
    let _ = writeln!(text, "\nFunctions that are written more than once: {}", repeated.len());
    for places in repeated {
        let _ = writeln!(text, "  {}", places.join(", "));
    }
}

/// How long the files are, and how many of their lines are comments.
fn files(text: &mut String, sources: &Sources, modules: &[Module]) {
    let mut lengths: Vec<(usize, &str)> = Vec::new();
    let (mut plain, mut docs) = (0, 0);
    for module in modules {
        let source = &sources[&module.file];
        lengths.push((source.lines().count(), &module.file));
        for line in source.lines().map(str::trim_start) {
            let is_doc = line.starts_with("///") || line.starts_with("//!");
            docs += usize::from(is_doc);
            plain += usize::from(line.starts_with("//") && !is_doc);
        }
    }
    lengths.sort_unstable();
    let lines: usize = lengths.iter().map(|(length, _)| length).sum();
    let at = |share: usize| lengths.get(lengths.len() * share / 100).map_or(0, |file| file.0);
    let longest = lengths.last().map_or(0, |file| file.0);
    let percent = |count: usize| 100.0 * count as f64 / lines.max(1) as f64;
    let _ = writeln!(text, "\nFiles: {}, with {lines} lines", lengths.len());
    let _ = writeln!(
        text,
        "Lines of a file: median {}, 90th percentile {}, longest {longest}",
        at(50),
        at(90)
    );
    let long: Vec<_> = lengths.iter().rev().filter(|(length, _)| *length > LONG).collect();
    let _ = writeln!(text, "Files with more than {LONG} lines: {}", long.len());
    for (length, file) in long {
        let _ = writeln!(text, "  {length} {file}");
    }
    let _ = writeln!(text, "Lines that are comments: {:.1} %", percent(plain));
    let _ = writeln!(text, "Lines that are documentation: {:.1} %", percent(docs));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::tokens;

    #[test]
    fn types_are_counted_wherever_they_are_defined() {
        let text = "
            pub struct A; enum B<T> { C(T) } trait D { type No; }
            impl Iterator for A { type Item = u8; fn next(&mut self) -> Option<u8> { struct E; type F = u8; None } }
            fn g() -> impl Fn() { type H = u8; || () }
            union I { a: u8 } const UNION: u8 = union(a);
        ";
        assert_eq!(types(&tokens(text)), ["A", "B", "D", "E", "F", "H", "I"]);
    }

    #[test]
    fn functions_with_tuple_patterns_are_counted() {
        let text = "
            fn a((x, y): (u8, u8)) {}
            fn b<F: Fn() -> (u8, u8)>(f: F, &(x, y): &(u8, u8)) {}
            fn c(x: (u8, u8), f: impl Fn((u8, u8)), [p, q]: [(u8, u8); 2], v: Vec<(u8, (u8, u8))>) {}
            fn d() { let e = |(x, y): (u8, u8)| x; }
        ";
        assert_eq!(tuple_parameters(&tokens(text)), 2);
    }

    #[test]
    fn public_items_are_those_of_the_module_itself() {
        let text = "
            pub mod a; pub use b::c; pub struct D { pub e: u8 } impl D { pub fn f() {} }
            pub(crate) fn g() {} pub const fn h() {} pub const I: u8 = 0; pub fn j() {}
        ";
        assert_eq!(public(&tokens(text)), ["D", "h", "I", "j"]);
    }

    #[test]
    fn the_report_counts_a_small_workspace() {
        let helper = "fn sum(a: [u8; 3]) -> u8 { let [x, y, z] = a; x + y + z + x * y * z - x }";
        let long = "// why\n".repeat(LONG + 1);
        let files = [
            ("crates/landform/src/lib.rs", "pub mod a;\npub mod b;\n".to_owned()),
            (
                "crates/landform/src/a.rs",
                format!("//! Doc.\npub struct Place;\npub struct Lost;\n{helper}\n"),
            ),
            (
                "crates/landform/src/b.rs",
                "pub trait Field {\nfn a(&self) { unreachable!() }\nfn b(&self);\n}\nstruct Place;\n"
                    .to_owned(),
            ),
            ("crates/other/src/lib.rs", format!("use landform::a::Place;\nfn f(p: Field) {{}}\n{helper}\n")),
            ("crates/other/src/long.rs", long),
            ("crates/other/src/main.rs", "mod long;".to_owned()),
        ];
        let sources: Sources = files.map(|(path, text)| (path.to_owned(), text)).into();
        let modules = all_modules(&sources).unwrap();
        let told = report(&sources, &modules);
        for line in [
            "Types (struct, enum, union, trait, type): 3 names",
            "Names with several types: 1",
            "   2 Place: crates/landform/src/a.rs crates/landform/src/b.rs",
            "Traits of the core: 1 (with their methods)",
            "   2 Field",
            "`unreachable!` in defaults of these traits: 1",
            "Public items of the core: 3",
            "Of these, no other package names: 1",
            "  a::Lost",
            "Functions that are written more than once: 1",
            "  sum (crates/landform/src/a.rs), sum (crates/other/src/lib.rs)",
            "Files: 6, with 616 lines",
            "Lines of a file: median 4, 90th percentile 601, longest 601",
            "  601 crates/other/src/long.rs",
            "Lines that are comments: 97.6 %",
            "Lines that are documentation: 0.2 %",
        ] {
            assert!(told.lines().any(|found| found == line), "{line:?} in\n{told}");
        }
    }
}
