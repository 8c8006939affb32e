//! Pages of the documentation, as far as a check needs to read them: fenced blocks, links, headings.

/// A block of code between two fences.
#[derive(Debug, PartialEq)]
pub(crate) struct Block {
    /// The line of the page on which its text begins, counted from 1.
    pub(crate) line: usize,
    /// The first word after the fence, such as `sh`.
    pub(crate) language: String,
    /// The words after the language.
    pub(crate) marks: Vec<String>,
    /// What stands between the fences.
    pub(crate) text: String,
}

/// A link or picture.
#[derive(Debug, PartialEq)]
pub(crate) struct Link {
    /// The line of the page on which it stands, counted from 1.
    pub(crate) line: usize,
    /// Where it leads.
    pub(crate) target: String,
}

/// A line of a page, and whether it is code.
enum Line<'a> {
    Opening(&'a str),
    Code(&'a str),
    Closing,
    Prose(&'a str),
}

fn lines(page: &str) -> impl Iterator<Item = (usize, Line<'_>)> {
    let mut is_code = false;
    page.lines().enumerate().map(move |(index, line)| {
        let fence = line.trim_start().strip_prefix("```");
        let line = match (fence, is_code) {
            (Some(info), false) => Line::Opening(info),
            (Some(_), true) => Line::Closing,
            (None, true) => Line::Code(line),
            (None, false) => Line::Prose(line),
        };
        is_code = matches!(line, Line::Opening(_) | Line::Code(_));
        (index + 1, line)
    })
}

/// The fenced blocks of a page.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for (number, line) in lines(page) {
        match line {
            Line::Opening(info) => {
                let mut words = info.split_whitespace().map(str::to_owned);
                let language = words.next().unwrap_or_default();
                let marks = words.collect();
                blocks.push(Block { line: number + 1, language, marks, text: String::new() });
            }
            Line::Code(code) => {
                let block = blocks.last_mut().expect("code follows an opening fence");
                block.text += code;
                block.text.push('\n');
            }
            Line::Closing | Line::Prose(_) => {}
        }
    }
    blocks
}

/// The links and pictures of a page; those in code are none.
pub(crate) fn links(page: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for (line, prose) in prose(page) {
        let text = without_code(prose);
        // A target has no parentheses, and a title may follow it.
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
        links.extend(targets.map(|target| Link { line, target: target.to_owned() }));
    }
    links
}

/// The anchors of a page's headings, as GitHub makes them.
pub(crate) fn anchors(page: &str) -> Vec<String> {
    let heading = |line: &str| line.starts_with('#').then(|| anchor(line.trim_start_matches('#')));
    prose(page).filter_map(|(_, line)| heading(line)).collect()
}

fn prose(page: &str) -> impl Iterator<Item = (usize, &str)> {
    lines(page).filter_map(|(number, line)| match line {
        Line::Prose(text) => Some((number, text)),
        Line::Opening(_) | Line::Code(_) | Line::Closing => None,
    })
}

/// A line without what stands between backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
    heading.trim().to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_its_line_language_and_marks() {
        let page =
            "# Title\n\n```sh no-run\nmake\n```\ntext\n\n```toml file=a.toml\nx = 1\ny = 2\n```\n";
        let found = blocks(page);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].line, found[0].text.as_str()), (4, "make\n"));
        assert_eq!(found[0].marks, ["no-run"]);
        assert_eq!((found[1].line, found[1].language.as_str()), (9, "toml"));
        assert_eq!(found[1].text, "x = 1\ny = 2\n");
    }

    #[test]
    fn links_and_pictures_are_found_and_code_is_not() {
        let page =
            "a [b](c.md) and ![`d`](e.png \"title\")\n`[f](g)`\n```text\n[h](i)\n```\n[j](k#l)\n";
        let targets: Vec<_> =
            links(page).into_iter().map(|link| (link.line, link.target)).collect();
        let expected = [(1, "c.md"), (1, "e.png"), (6, "k#l")];
        assert_eq!(targets, expected.map(|(line, target)| (line, target.to_owned())));
    }

    #[test]
    fn anchors_are_those_of_github() {
        let page = "# Your own map, as a planet\ntext\n## 3-D `view`\n```sh\n# no heading\n```\n";
        assert_eq!(anchors(page), ["your-own-map-as-a-planet", "3-d-view"]);
    }
}
