#!/usr/bin/env node
// Completes package-lock.json after `npm install`. If the registry lacks the binaries of other platforms, npm silently omits them
// from the lock file, and `npm ci` then rejects the file on every machine. This adds the missing entries (version and platform,
// no integrity). `--check` changes nothing and exits with 1 when an entry is missing.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url))
const systems = {
  darwin: 'darwin',
  linux: 'linux',
  win32: 'win32',
  freebsd: 'freebsd',
  openbsd: 'openbsd',
  netbsd: 'netbsd',
  sunos: 'sunos',
  aix: 'aix',
  android: 'android',
  openharmony: 'openharmony',
}
const chips = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el', 'wasm32']

function platformOf(name) {
  const parts = name.split(/[-/]/)
  const os = parts.map((part) => systems[part]).find(Boolean)
  const cpu = parts.find((part) => chips.includes(part))
  const libc = parts.includes('musl') ? 'musl' : parts.includes('gnu') || parts.includes('glibc') ? 'glibc' : undefined
  return { ...(os && { os: [os] }), ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }) }
}

/** Optional dependencies that are not in the lock file. */
function missing(lock) {
  const found = []
  for (const [place, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const own = `${place}/node_modules/${name}`
      if (!lock.packages[own] && !lock.packages[`node_modules/${name}`])
        found.push({ place: `node_modules/${name}`, name, version, dev: entry.dev })
    }
  }
  return found
}

const lock = JSON.parse(readFileSync(path, 'utf8'))
const open = missing(lock)
if (process.argv.includes('--check')) {
  for (const { name, version } of open)
    process.stdout.write(`package-lock.json: ${name}@${version} is missing (run npm run lock)\n`)
  process.exitCode = open.length ? 1 : 0
} else if (open.length) {
  for (const { place, name, version, dev } of open) {
    lock.packages[place] = {
      version: version.replace(/^[^\d]*/, ''),
      ...platformOf(name),
      ...(dev && { dev: true }),
      optional: true,
    }
  }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
  process.stdout.write(`package-lock.json: added ${open.map(({ name }) => name).join(', ')}\n`)
}
