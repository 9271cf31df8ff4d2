#!/usr/bin/env node
import { command } from './command.ts'

/** Only the command that is asked for is loaded: `start` is measured in milliseconds. */
const commands: Record<string, { load: () => Promise<{ run(args: string[]): Promise<void> }>; summary: string }> = {
  start: { load: () => import('./commands/start.ts'), summary: 'Start the server' },
  migrate: {
    load: () => import('./commands/migrate.ts'),
    summary: 'Bring the metadata store to the shape of this version',
  },
  backup: { load: () => import('./commands/backup.ts'), summary: 'Write a copy of the metadata store' },
  user: { load: () => import('./commands/user.ts'), summary: 'Add and list users, set passwords, make one-time links' },
  role: { load: () => import('./commands/role.ts'), summary: 'Add and list roles, grant and revoke permissions' },
}

const usage = `Usage: parquetry COMMAND [OPTION]...

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(9)}${summary}`)
  .join('\n')}

parquetry COMMAND --help says more. Settings come from the environment, see the README.
`

await command(async () => {
  const [name = '', ...args] = process.argv.slice(2)
  if (name === '' || name === '--help' || name === '-h' || name === 'help') process.stdout.write(usage)
  else if (!Object.hasOwn(commands, name)) {
    process.stderr.write(`There is no command ${name}.\n\n${usage}`)
    process.exitCode = 2
  } else await (await commands[name]?.load())?.run(args)
})
