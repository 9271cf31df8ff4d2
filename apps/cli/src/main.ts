#!/usr/bin/env node
import { runCommand } from './command.ts'

/** Commands are loaded on demand to keep `start` fast. */
const commands: Record<string, { load: () => Promise<{ run(args: string[]): Promise<void> }>; summary: string }> = {
  start: { load: () => import('./commands/start.ts'), summary: 'Start the server' },
  migrate: {
    load: () => import('./commands/migrate.ts'),
    summary: 'Upgrade the metadata store to this version',
  },
  backup: { load: () => import('./commands/backup.ts'), summary: 'Back up the metadata store' },
  export: { load: () => import('./commands/export.ts'), summary: 'Write all objects into a folder, as source code' },
  plan: { load: () => import('./commands/plan.ts'), summary: 'Tell what an import of such a folder would change' },
  import: { load: () => import('./commands/import.ts'), summary: 'Import such a folder' },
  user: {
    load: () => import('./commands/user.ts'),
    summary: 'Add and list users, set passwords, create sign-in links',
  },
  role: { load: () => import('./commands/role.ts'), summary: 'Add and list roles, grant and revoke permissions' },
}

const usage = `Usage: parquetry COMMAND [OPTION]...

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(9)}${summary}`)
  .join('\n')}

Run parquetry COMMAND --help for details. Settings are read from environment variables; see README.md.
`

await runCommand(async () => {
  const [name = '', ...args] = process.argv.slice(2)
  if (name === '' || name === '--help' || name === '-h' || name === 'help') process.stdout.write(usage)
  else if (!Object.hasOwn(commands, name)) {
    process.stderr.write(`Unknown command: ${name}\n\n${usage}`)
    process.exitCode = 2
  } else await (await commands[name]?.load())?.run(args)
})
