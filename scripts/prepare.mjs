#!/usr/bin/env node
// Makes a clone ready to run and prints the path of the Node that runs it. Plain JavaScript without dependencies that works
// on Node 20.19: it is the one file that runs before anything is installed. All other output goes to standard error.
//
//   node scripts/prepare.mjs             find or fetch Node 24, install when the lock file changed, build when the web changed
//   node scripts/prepare.mjs --dev       the same with what tests and tools need
//   node scripts/prepare.mjs --no-build  without the build of the web
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const floor = [24, 12]

/** Platform packages of the npm registry whose `bin/node` runs as it is; `integrity` is the registry's own SHA-512. */
const pinned = {
  'linux-x64': {
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'darwin-x64': {
    version: '24.18.1',
    integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
}

const say = (text) => process.stderr.write(`${text}\n`)
const fail = (text) => {
  say(text)
  process.exit(2)
}
const isNewEnough = (version) => {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number)
  return major === floor[0] && minor >= floor[1]
}

function run(what, command, args, options = {}) {
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    ...options,
  })
  if (done.error || done.status !== 0)
    fail(`${what} failed${done.error ? `: ${done.error.message}` : ''}. See the lines above.`)
  return done.stdout
}

/** npm as a command: the npm that started us when there is one, else the one on PATH. */
function npm(node, what, args, options = {}) {
  const script = process.env.npm_execpath
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`, ...options.env }
  return script?.endsWith('.js')
    ? run(what, node, [script, ...args], { ...options, env })
    : run(what, 'npm', args, { ...options, env })
}

function findNode() {
  if (isNewEnough(process.version)) return process.execPath
  const platform = `${process.platform}-${process.arch}`
  const pin = pinned[platform]
  if (!pin)
    fail(
      `Parquetry needs Node ${floor.join('.')} or newer of the 24 line; this is ${process.version}. Install it from nodejs.org and start again.`,
    )
  const home = join(homedir(), '.cache', 'parquetry', `node-${pin.version}`)
  const node = join(home, 'bin', 'node')
  if (existsSync(node)) return node
  say(`Getting Node ${pin.version} (50 MB, once) ...`)
  mkdirSync(dirname(home), { recursive: true })
  const work = mkdtempSync(join(dirname(home), 'unpack-'))
  try {
    const name = `node-${platform}`
    npm(
      process.execPath,
      `Downloading ${name}`,
      ['pack', `${name}@${pin.version}`, '--silent', '--pack-destination', work],
      { cwd: work },
    )
    const file = join(work, readdirSync(work).find((entry) => entry.endsWith('.tgz')) ?? 'missing.tgz')
    const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
    if (found !== pin.integrity)
      fail(`The download of ${name} is not the expected one. Nothing was installed; check the registry that npm uses.`)
    mkdirSync(join(work, 'bin'))
    run('Unpacking Node', 'tar', ['-xzf', file, '-C', work, 'package/bin/node', 'package/LICENSE'])
    renameSync(join(work, 'package/bin/node'), join(work, 'bin/node'))
    copyFileSync(join(work, 'package/LICENSE'), join(work, 'LICENSE'))
    rmSync(join(work, 'package'), { recursive: true })
    rmSync(file)
    try {
      renameSync(work, home)
    } catch (error) {
      if (!existsSync(node)) throw error // another start was first
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return node
}

function* filesOf(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (/^(node_modules|dist|fixtures|journeys|\..*)$/.test(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesOf(path)
    else if (!/\.test\.tsx?$/.test(entry.name)) yield path
  }
}

/** Hash of names and contents, so that a checkout with new times but old contents builds nothing. */
function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    const full = join(root, path)
    if (!existsSync(full)) continue
    const files = readdirOrFile(full)
    for (const file of files) hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}
function readdirOrFile(path) {
  try {
    return [...filesOf(path)]
  } catch {
    return [path]
  }
}
const stampOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')

function install(node) {
  const stamp = join(root, 'node_modules', '.parquetry')
  const hash = hashOf(['package-lock.json'])
  const [installed, parts] = stampOf(stamp).split(' ')
  const withDev = process.argv.includes('--dev')
  if (installed === hash && (parts === 'all' || !withDev)) return
  say(`Installing packages${withDev ? ' with those for tests' : ''} (once, about half a minute) ...`)
  npm(node, 'npm ci', ['ci', ...(withDev ? [] : ['--omit=dev']), '--no-audit', '--no-fund', '--loglevel', 'error'])
  writeFileSync(stamp, `${hash} ${withDev ? 'all' : 'run'}`)
}

/** A workspace and those that it imports, as their manifests say it. */
function withImports(folder, found = new Set()) {
  if (found.has(folder)) return found
  found.add(folder)
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies))
    if (name.startsWith('@parquetry/')) withImports(name.replace('@parquetry', 'packages'), found)
  return found
}

const webFolder = join(root, 'apps/web/dist')

function build(node) {
  const stamp = join(webFolder, '.parquetry')
  const wanted = hashOf([...withImports('apps/web'), 'messages', 'package-lock.json'])
  if (stampOf(stamp) === wanted) return
  if (!existsSync(join(root, 'apps/web/index.html'))) return
  rmSync(stamp, { force: true })
  say('Building the web interface (once, about ten seconds) ...')
  run(
    'The build of the web interface',
    node,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    {
      cwd: join(root, 'apps/web'),
      stdio: ['ignore', 2, 'inherit'],
    },
  )
  writeFileSync(stamp, wanted)
}

/** Asks the server to compress the built files once it is ready. Tests do without; the bench compresses them before it measures. */
function requestCompression() {
  const hash = stampOf(join(webFolder, '.parquetry'))
  const request = join(webFolder, '.compress')
  if (hash !== '' && stampOf(request) !== hash) writeFileSync(request, hash)
}

const node = findNode()
install(node)
if (!process.argv.includes('--no-build')) {
  build(node)
  if (!process.argv.includes('--dev')) requestCompression()
}
process.stdout.write(`${node}\n`)
