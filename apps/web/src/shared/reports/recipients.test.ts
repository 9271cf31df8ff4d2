import { subjectId } from '@parquetry/model/subject'
import { expect, it } from 'vitest'
import {
  listOutsideTargets,
  noRecipients,
  parseEmail,
  parseWebhook,
  readRecipients,
  toApiRecipients,
} from './recipients.ts'

const stored = (type: string, config: object) =>
  ({ id: 1, type, recipient_config_json: JSON.stringify(config) }) as never

it('API-052: splits lists of addresses, and sends each target as a recipient of its own', () => {
  const group = subjectId('group', 3)
  const read = readRecipients([
    stored('Email', { target: 'ana@example.com, bo@example.com;ana@example.com' }),
    stored('SlackV2', { target: 'C0123456' }),
    stored('Group', { target: group }),
    stored('Folder', { target: 'sales/my week' }),
  ])
  expect(read).toEqual({
    ...noRecipients,
    emails: ['ana@example.com', 'bo@example.com'],
    slack: ['C0123456'],
    subjects: [group],
    folders: ['sales/my week'],
  })
  expect(toApiRecipients({ ...read, slack: ['C0123456', 'general'] })).toEqual([
    { type: 'Email', recipient_config_json: { target: 'ana@example.com' } },
    { type: 'Email', recipient_config_json: { target: 'bo@example.com' } },
    { type: 'Group', recipient_config_json: { target: group } },
    { type: 'SlackV2', recipient_config_json: { target: 'C0123456' } },
    { type: 'Slack', recipient_config_json: { target: 'general' } },
    { type: 'Folder', recipient_config_json: { target: 'sales/my week' } },
  ])
})

it('keeps copies in one message with its addresses, and ignores a target that cannot be read', () => {
  const read = readRecipients([
    stored('Email', { target: 'ana@example.com,bo@example.com', ccTarget: 'cy@example.com' }),
    { id: 2, type: 'Webhook', recipient_config_json: 'not JSON' },
  ])
  expect(toApiRecipients(read)).toEqual([
    { type: 'Email', recipient_config_json: { target: 'ana@example.com, bo@example.com', ccTarget: 'cy@example.com' } },
  ])
  expect(listOutsideTargets(read)).toEqual(['ana@example.com', 'bo@example.com', 'cy@example.com'])
})

it('accepts addresses only', () => {
  expect(['ana@example.com', ' ana@example.com ', 'ana', 'a@b, c@d', 'Ana <ana@example.com>'].map(parseEmail)).toEqual([
    'ana@example.com',
    'ana@example.com',
    null,
    null,
    null,
  ])
  expect(['https://example.com/hook', 'ftp://example.com', 'example.com'].map(parseWebhook)).toEqual([
    'https://example.com/hook',
    null,
    null,
  ])
})
