import type { DynamicPlugin } from '@parquetry/model'
import { ErrorPanel, useTranslate } from '@parquetry/ui'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ChartMessage } from '../messages.tsx'
import { PluginConnection, type PluginFailure } from './plugin-connection.ts'
import type { PluginInput } from './plugin-input.ts'
import { isUnfinished } from './unfinished-plugins.ts'
import styles from './plugin.module.css'

export interface PluginFrameProps {
  plugin: DynamicPlugin
  input: PluginInput
  /** Name of the chart for screen readers. */
  title: string
}

/**
 * Runs a plugin in a sandbox, which has no access to the page, its cookies or the API. When the plugin cannot be loaded, throws or
 * takes too long, the frame is removed and the reason shown; the user, new rows or settings start it again.
 *
 * Browsers that give the sandbox no process of its own freeze with a module that never returns. After the page was reloaded, such a
 * module starts only when the user asks for it (`unfinished-plugins.ts`).
 */
export function PluginFrame({ plugin, input, title }: PluginFrameProps) {
  const t = useTranslate()
  const frame = useRef<HTMLIFrameElement>(null)
  const connection = useRef<PluginConnection | null>(null)
  const [failed, setFailed] = useState<{ failure: PluginFailure; input: PluginInput } | null>(() =>
    isUnfinished(plugin) ? { failure: { kind: 'froze' }, input } : null,
  )
  const [isDrawn, setDrawn] = useState(false)
  const failure = failed && (failed.failure.kind === 'froze' || failed.input === input) ? failed.failure : null
  const fail = useEffectEvent((reason: PluginFailure) => setFailed({ failure: reason, input }))

  useEffect(() => {
    if (failure !== null || !frame.current) return undefined
    const opened = new PluginConnection(frame.current, plugin, {
      onDrawn: () => setDrawn(true),
      onFailed: (reason) => fail(reason),
    })
    connection.current = opened
    return () => opened.close()
  }, [plugin, failure])
  useEffect(() => {
    if (failure === null) connection.current?.draw(input)
  }, [input, failure])

  if (failure)
    return (
      <ChartMessage>
        <ErrorPanel
          inline
          title={t('charts.plugin.failed', 'The plugin {name} could not draw this chart', { name: plugin.name })}
          onRetry={() => setFailed(null)}
        >
          {failure.kind === 'froze' && t('charts.plugin.froze', 'It froze this page before, so it was not started.')}
          {failure.kind === 'slow' &&
            t('charts.plugin.slow', 'It took longer than {seconds} seconds.', { seconds: failure.seconds })}
          {failure.kind === 'missing' &&
            t('charts.plugin.missing', 'It was changed or deleted after this page was opened. Reload the page.')}
          {failure.kind === 'otherType' &&
            t('charts.plugin.otherType', 'Its module has the viz_type {type} instead of {key}.', {
              type: failure.type,
              key: plugin.key,
            })}
          {failure.kind === 'error' && failure.message}
        </ErrorPanel>
      </ChartMessage>
    )
  return (
    <iframe
      ref={frame}
      className={styles.frame}
      title={title}
      sandbox="allow-scripts"
      src="/dynamic-plugins/frame"
      aria-busy={!isDrawn}
    />
  )
}
