import { writeFolder } from '@parquetry/bundle'
import { explainFiles, print, withFolder } from '../bundle-folder.ts'

const help = `Usage: parquetry export FOLDER [--user NAME]

Writes all dashboards, charts, datasets, databases, saved queries, themes, CSS templates and annotation layers into a folder, one
YAML file each. Files that have not changed are not touched, and files of objects that are gone are removed. Secrets are not
exported. The server can keep running.
  --user  administrator whose view is exported, default the first one
`

export async function run(args: string[]): Promise<void> {
  await withFolder(args, { name: 'export', help, prunes: false }, async ({ folder, session }) => {
    const bundle = await session.export()
    const { written, removed, unchanged } = await explainFiles(() => writeFolder(folder, bundle))
    print(`${written} files written, ${removed} removed, ${unchanged} unchanged in ${folder}`)
  })
}
