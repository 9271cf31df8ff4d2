import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Manifest {
  name: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}
const readManifest = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8')) as Manifest
const listNames = (dependencies: Record<string, string> = {}): string[] => Object.keys(dependencies)

/** Test tools of every workspace: vitest, browsers. */
const forAll = listNames(readManifest('package.json').devDependencies)

/** Tests, journeys, and files only for them, including the testing workspace and the test page of charts. */
const isTestFile = (path: string): boolean =>
  /[./](test|testing)\.tsx?$|\/(journeys|testing)\/|^packages\/charts\/src\/views\/page\//.test(path)

const ways = [
  /^[ \t]*(?:import|export)\b(?:[^'"`;]*?\bfrom\b)?\s*['"]([^'"\n]+)['"]/gm,
  /\bimport\(\s*['"]([^'"\n]+)['"]\s*[,)]/g,
  /\bcreateRequire\(import\.meta\.url\)(?:\.resolve)?\(\s*['"]([^'"\n]+)['"]\s*\)/g,
]

/** Packages that a text imports, without files, Node modules and virtual modules. */
const parsePackages = (text: string): string[] =>
  ways
    .flatMap((way) => [...text.matchAll(way)].map(([, from = '']) => from))
    .filter((from) => !/^[./]|^(node|virtual):/.test(from))
    .map((from) => from.split('/', from.startsWith('@') ? 2 : 1).join('/'))

/** `@types/pg` is used where `pg` is. */
const typedBy = (name: string): string => name.replace(/^@types\//, '')

/** True if the package itself is not installed, only its types. */
const isTypesAlone = (name: string): boolean => !existsSync(`node_modules/${name}/package.json`)

const folders = ['apps', 'packages'].flatMap((group) => readdirSync(group).map((name) => `${group}/${name}`))

describe.each(folders)('the manifest of %s', (folder) => {
  const { name, dependencies, devDependencies } = readManifest(`${folder}/package.json`)
  const files = globSync(`${folder}/**/*.{ts,tsx,mjs}`, {
    exclude: (path) => ['node_modules', 'dist', 'fixtures', 'golden'].includes(path.split('/').at(-1) ?? ''),
  })
  const importsOf = (some: string[]) =>
    new Set(some.flatMap((file) => parsePackages(readFileSync(file, 'utf8'))).filter((from) => from !== name))
  const ofSources = importsOf(files.filter((file) => !isTestFile(file)))
  const ofTests = importsOf(files.filter(isTestFile))
  const declared = [...listNames(dependencies), ...listNames(devDependencies)]

  it('declares what its sources and its tests import', () => {
    expect(files.length).toBeGreaterThan(0)
    // Packages that exist only as `@types/` are not needed at runtime.
    const typesAlone = listNames(devDependencies)
      .filter((one) => one.startsWith('@types/'))
      .map(typedBy)
    expect(
      [...ofSources].filter(
        (one) => ![...listNames(dependencies), ...(isTypesAlone(one) ? typesAlone : [])].includes(one),
      ),
    ).toEqual([])
    expect([...ofTests].filter((one) => ![...declared, ...forAll].includes(one))).toEqual([])
  })

  it('declares nothing unused, and nothing twice', () => {
    expect(declared.filter((one) => !ofSources.has(typedBy(one)) && !ofTests.has(typedBy(one)))).toEqual([])
    expect(declared).toHaveLength(new Set(declared).size)
  })
})
