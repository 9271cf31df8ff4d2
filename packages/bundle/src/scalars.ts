import { readExactNumber } from '@parquetry/model/number-text'
import type { Schema } from 'js-yaml'
import { jsYaml } from './js-yaml.ts'

/** Integers that every number type keeps. */
const plainInteger = /^(?:0|-?[1-9]\d{0,14})$/

/** Numbers that are codes, such as postal codes. */
const code = /^[-+]?0\d/

/**
 * An exponent without sign and point, such as `1e3`. Programs write numbers with at least one of them, and PyYAML writes such texts
 * without quotes.
 */
const exponentText = /^[-+]?\d+e\d+$/i

const hexadecimal = /^0x[\da-f]+$/i
const special = new Map(
  ['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF']
    .map((text): [string, number] => [text, Infinity])
    .concat(['-.inf', '-.Inf', '-.INF'].map((text) => [text, -Infinity]))
    .concat(['.nan', '.NaN', '.NAN'].map((text) => [text, NaN])),
)

/**
 * Reads a plain scalar that looks like a number: as a number if that keeps all its digits, otherwise as the text. Undefined for a
 * scalar that is no number.
 */
export function readNumber(source: string): number | string | undefined {
  if (plainInteger.test(source)) return Number(source)
  if (code.test(source) || exponentText.test(source)) return undefined
  if (hexadecimal.test(source)) {
    const number = Number(source)
    return Number.isSafeInteger(number) ? number : undefined
  }
  return readExactNumber(source) ?? special.get(source)
}

let schema: Schema | undefined

/** The core schema of YAML 1.2 with numbers that lose no digit. Octal numbers (`0o17`) are texts, as in YAML 1.1. */
export function exactSchema(): Schema {
  if (schema) return schema
  const yaml = jsYaml()
  const implicitFirstChars = [...'+-.0123456789']
  const number = (name: string) =>
    yaml.defineScalarTag<number | string>(name, {
      implicit: true,
      implicitFirstChars,
      resolve: (source) => readNumber(source) ?? yaml.NOT_RESOLVED,
      identify: () => false,
    })
  schema = yaml.CORE_SCHEMA.withTags(number('tag:yaml.org,2002:int'), number('tag:yaml.org,2002:float'))
  return schema
}
