import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'rolldown/utils'
import { expect, it } from 'vitest'

const sources = globSync('{apps,packages,scripts}/**/*.{ts,tsx}', { exclude: ['**/node_modules', '**/dist'] }).filter(
  (path) => !/\.gen\.ts$|\.d\.ts$/.test(path),
)

interface Exported {
  name: string
  path: string
}

interface Declaration {
  id?: { name?: string } | null
  declarations?: { id: { name?: string } }[]
}

/** Names that a module declares and exports. */
function exportedNames(path: string): Exported[] {
  const { program } = parseSync(path, readFileSync(path, 'utf8'))
  return (program.body as { type: string; declaration?: Declaration | null }[]).flatMap(({ type, declaration }) => {
    if (type !== 'ExportNamedDeclaration' || !declaration) return []
    const ids = declaration.declarations?.map(({ id }) => id) ?? [declaration.id]
    return ids.flatMap((id) => (id?.name ? [{ name: id.name, path }] : []))
  })
}

const allExports = sources.flatMap(exportedNames)
const packageOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('scripts/') ? 1 : 2)
    .join('/')

/** Words of the old dialect and British spelling, as parts of names. `docs/vocabulary.md` has the names of today. */
const oldWords =
  /^(inTurn|Turns?|Lanes?|Line|Rests|Breather|burst|Asked|Asker|Asking|askedOf|told\w*|Told\w*|asAnswered|untold\w*|Together|keep(er|House)?|Keep(er|House)?|Thing|Things|lost[A-Z]\w*|Lost[A-Z]\w*|beginDashboard|Begun|beganWith|judge\w*|Question|openQuestion|unread|RowRule\w*|rowRule\w*|Nearness|wordsOf|placeOf|sizeOf|shapeOf|whoever|nobody|Slot|Grip|Strip|settle)$|[cC]olour|[cC]atalogue|[fF]avourite|[nN]eighbour/

/** Fields of documents and routes keep the API's spelling. */
const spellingOfTheApi = new Set<string>([])

/** Names that sibling folders of plug-ins export with one meaning and one signature. */
const conventions = new Set(['form', 'entries', 'dialect', 'Settings', 'describe', 'genericOf', 'run', 'pages'])

it('exports no name of the old vocabulary', () => {
  const old = allExports.filter(({ name }) => oldWords.test(name) && !spellingOfTheApi.has(name))
  expect(old.map(({ name, path }) => `${path}: ${name}`)).toEqual([])
})

it('exports no name from two files of one package', () => {
  const groups = Map.groupBy(allExports, ({ name, path }) => `${packageOf(path)}: ${name}`)
  const twice = [...groups].flatMap(([key, uses]) => {
    const paths = new Set(uses.map(({ path }) => path))
    return paths.size > 1 && !conventions.has(uses[0]?.name ?? '') ? [`${key} in ${[...paths].join(', ')}`] : []
  })
  expect(twice).toEqual([])
})

/** Phrases that a reader has to translate. */
const oddPhrases =
  /\b(nobody|somebody|everybody|whoever|whomever|anew|therein|thereof|whereby|for whom|the same again|(is|are|was|were) told|so many (?!as|that)|of its own accord|goes? ways?)\b/i

const commentsOf = (path: string): string[] =>
  parseSync(path, readFileSync(path, 'utf8')).comments.map(({ value }) => value)

it('writes no odd phrases in messages, comments and docs', () => {
  const texts = [
    ...globSync('messages/*.en.json').flatMap((path) =>
      Object.values(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>).map(
        (text) => [path, text] as const,
      ),
    ),
    ...sources.flatMap((path) => commentsOf(path).map((text) => [path, text] as const)),
    ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...globSync('docs/**/*.md')]
      .filter((path) => !/docs\/(requirements|vocabulary)\.md$/.test(path))
      .map((path) => [path, readFileSync(path, 'utf8')] as const),
  ]
  const odd = texts.flatMap(([path, text]) => {
    const found = oddPhrases.exec(text.replaceAll(/`[^`]*`|\]\([^)]*\)/g, ''))
    return found ? [`${path}: ${found[0]}`] : []
  })
  expect(odd).toEqual([])
})
