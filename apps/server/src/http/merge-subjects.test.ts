import { subjectId } from '@parquetry/model'
import { checkCases, type Random } from '@parquetry/model/testing/random'
import { describe, expect, it } from 'vitest'
import { mergeSubjects } from './merge-subjects.ts'

const some = (random: Random, list: readonly number[]): number[] => list.filter(() => random() < 0.5)
const users = [1, 2, 3]
const others = [subjectId('role', 1), subjectId('group', 1), subjectId('group', 2)]
const all = [...users.map((id) => subjectId('user', id)), ...others]
const isUser = (id: number): boolean => id % 4 === 1
const sorted = (ids: readonly number[]): string => [...ids].toSorted((a, b) => a - b).join()

describe('the two spellings of owners (API-069)', () => {
  it('replace what they name and keep the rest, whatever is stored', () =>
    checkCases(500, (random) => {
      const stored = some(random, all)
      const older = random() < 0.3 ? undefined : some(random, users)
      const newer = random() < 0.3 ? undefined : random() < 0.3 ? stored : some(random, all)
      const merged = mergeSubjects('user', { older, newer }, stored)
      const after = merged === 'conflict' ? 'conflict' : sorted(merged ?? stored)

      const asSubjects = older?.map((id) => subjectId('user', id))
      const olderState = asSubjects && sorted([...stored.filter((id) => !isUser(id)), ...asSubjects])
      const newerState = newer && sorted(newer)
      const changes = [olderState, newerState].filter((state) => state !== undefined && state !== sorted(stored))
      if (changes.length < 2) expect(after).toBe(changes[0] ?? sorted(stored))
      else expect(after).toBe(sorted(newer!.filter(isUser)) === sorted(asSubjects!) ? newerState : 'conflict')
    }))
})
