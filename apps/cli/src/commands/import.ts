import { countStates, describeObjects, explain, openBundle, print, readSecrets, withFolder } from '../bundle-folder.ts'

const help = `Usage: parquetry import FOLDER [--prune] [--user NAME]

Imports the bundle in a folder, all of it or nothing. Existing objects are replaced; "parquetry plan FOLDER" tells before what
changes. The server can keep running.
  --prune  move dashboards, charts and datasets that the folder does not contain to the trash
  --user   administrator who owns what is created, default the first one
Passwords and keys of new connections are read from JSON in PARQUETRY_IMPORT_SECRETS, or from the file in
PARQUETRY_IMPORT_SECRETS_FILE: {"passwords": {"databases/lab.yaml": "..."}}, likewise ssh_tunnel_passwords,
ssh_tunnel_private_keys and ssh_tunnel_private_key_passwords.
`

export async function run(args: string[]): Promise<void> {
  await withFolder(args, { name: 'import', help, prunes: true }, async (call) => {
    const { session, prune } = call
    const source = await openBundle(call)
    const { summary, pruned } = await explain(() => session.import(source, readSecrets(), { prunes: prune }))
    for (const line of describeObjects(summary)) print(line)
    for (const { kind, name } of pruned) print(`- ${kind} "${name}" deleted`)
    print(`Imported: ${countStates(summary)}${prune ? `, ${pruned.length} deleted` : ''}`)
  })
}
