import {
  countStates,
  describeObjects,
  explain,
  openBundle,
  print,
  readSecrets,
  refuseProblems,
  withFolder,
} from '../bundle-folder.ts'

const help = `Usage: parquetry plan FOLDER [--prune] [--user NAME]

Prints what "parquetry import FOLDER" would change, and changes nothing.
  --prune  also list what would be deleted because the folder does not contain it
  --user   administrator who would import, default the first one
Exit codes: 0 nothing would change, 6 something would, 1 the bundle cannot be imported, 2 a setting or an argument is wrong.
`

const exitCodeOfChanges = 6

export async function run(args: string[]): Promise<void> {
  await withFolder(args, { name: 'plan', help, prunes: true }, async (call) => {
    const { session, prune } = call
    const source = await openBundle(call)
    const summary = await explain(() => session.plan(source, readSecrets()))
    const removed = prune ? await session.findPrunable(summary) : []
    for (const line of describeObjects(summary)) print(line)
    for (const { kind, name } of removed) print(`- ${kind} "${name}" would be deleted`)
    print(`${countStates(summary)}${prune ? `, ${removed.length} to delete` : ''}`)
    refuseProblems(summary)
    if (removed.length > 0 || summary.objects.some(({ state }) => state === 'new' || state === 'changed'))
      process.exitCode = exitCodeOfChanges
  })
}
