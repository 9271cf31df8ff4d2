#!/usr/bin/env node
// Prepares a clone and prints the path of the Node to run it with; all other output goes to standard error. This file runs
// before anything is installed, so it is plain JavaScript without dependencies and works on Node 20.19.
//
//   node scripts/prepare.mjs             finds or downloads Node 24, installs packages, builds the web interface and bundles the server when needed
//   node scripts/prepare.mjs --dev       also installs the packages for tests and tools
//   node scripts/prepare.mjs --no-build  does not build or bundle
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

/** Packages of the npm registry with a `bin/node` for each platform; `integrity` is the registry's SHA-512. */
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
    fail(`${what} failed${done.error ? `: ${done.error.message}` : ''}. See the output above.`)
  return done.stdout
}

/** Runs npm: the one that started this script, or else the one on PATH. */
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
      `Parquetry needs Node 24 (${floor.join('.')} or newer), and this is ${process.version}. Install it from https://nodejs.org and try again.`,
    )
  const home = join(homedir(), '.cache', 'parquetry', `node-${pin.version}`)
  const node = join(home, 'bin', 'node')
  if (existsSync(node)) return node
  say(`Downloading Node ${pin.version} (50 MB)...`)
  mkdirSync(dirname(home), { recursive: true })
  const work = mkdtempSync(join(dirname(home), 'unpack-'))
  try {
    const name = `node-${platform}`
    npm(
      process.execPath,
      `The download of ${name}`,
      ['pack', `${name}@${pin.version}`, '--silent', '--pack-destination', work],
      { cwd: work },
    )
    const file = join(work, readdirSync(work).find((entry) => entry.endsWith('.tgz')) ?? 'missing.tgz')
    const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
    if (found !== pin.integrity)
      fail(`The checksum of ${name} does not match. Nothing was installed. Check which registry npm uses.`)
    mkdirSync(join(work, 'bin'))
    run('The extraction of Node', 'tar', ['-xzf', file, '-C', work, 'package/bin/node', 'package/LICENSE'])
    renameSync(join(work, 'package/bin/node'), join(work, 'bin/node'))
    copyFileSync(join(work, 'package/LICENSE'), join(work, 'LICENSE'))
    rmSync(join(work, 'package'), { recursive: true })
    rmSync(file)
    try {
      renameSync(work, home)
    } catch (error) {
      if (!existsSync(node)) throw error // another process has installed it
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

/** Hash of names and contents, so that files with new modification times but the same contents cause no build. */
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
  say(`Installing packages${withDev ? ', including those for tests' : ''} (about 30 seconds)...`)
  npm(node, 'npm ci', ['ci', ...(withDev ? [] : ['--omit=dev']), '--no-audit', '--no-fund', '--loglevel', 'error'])
  writeFileSync(stamp, `${hash} ${withDev ? 'all' : 'run'}`)
}

/** A workspace and the workspaces that it depends on, directly or indirectly. */
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
  say('Building the web interface (about 10 seconds)...')
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

const serverFolder = join(root, 'apps/cli/dist')

/** Combines the files of the server, of which Node loads a few much faster than hundreds. Without them, the sources are run. */
function bundleServer(node) {
  const stamp = join(serverFolder, '.parquetry')
  const wanted = createHash('sha256')
    .update(root)
    .update(
      hashOf([
        'scripts/bundle.ts',
        'apps/cli',
        ...withImports('apps/server'),
        ...withImports('apps/runner'),
        'package-lock.json',
      ]),
    )
    .digest('hex')
  if (stampOf(stamp) === wanted) return
  rmSync(stamp, { force: true })
  run('The build of the server', node, [join(root, 'scripts/bundle.ts')], { stdio: ['ignore', 2, 'inherit'] })
  writeFileSync(stamp, wanted)
}

/** Asks the server to compress the built files once it is ready. Tests skip this; benchmarks compress them before measuring. */
function requestCompression() {
  const hash = stampOf(join(webFolder, '.parquetry'))
  const request = join(webFolder, '.compress')
  if (hash !== '' && stampOf(request) !== hash) writeFileSync(request, hash)
}

const node = findNode()
install(node)
if (!process.argv.includes('--no-build')) {
  build(node)
  bundleServer(node)
  if (!process.argv.includes('--dev')) requestCompression()
}
process.stdout.write(`${node}\n`)
