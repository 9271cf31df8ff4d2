import { message, type RecipientConfig } from '@parquetry/model'
import { invalidTarget } from '../target-error.ts'

const maxTargets = 50
const name = /^#?[\p{Ll}\p{Lo}\p{N}_-][\p{Ll}\p{Lo}\p{N}_.-]{0,79}$/u

/** True for the id of a channel (`C`), a private one (`G`) or a direct message (`D`). */
export const isSlackChannelId = (text: string): boolean => /^[CGD][A-Z\d]{6,}$/.test(text)

/**
 * Ids and names of channels, separated by commas, semicolons or spaces.
 * @throws AppError `invalid_payload`
 */
export function parseSlackTargets({ target }: RecipientConfig): string[] {
  const targets = [
    ...new Set(
      String(target ?? '')
        .split(/[\s,;]+/)
        .filter((each) => each !== ''),
    ),
  ]
  const isWrong = targets.find((each) => !isSlackChannelId(each) && !name.test(each))
  if (targets.length === 0 || isWrong !== undefined)
    throw invalidTarget(
      message(
        'errors.channel.slack.target',
        'Enter the id of a Slack channel such as C0123456789. Separate several ids by commas.',
      ),
    )
  if (targets.length > maxTargets)
    throw invalidTarget(
      message('errors.channel.slack.tooMany', 'One recipient can have at most {limit} Slack channels.', {
        limit: maxTargets,
      }),
    )
  return targets
}
