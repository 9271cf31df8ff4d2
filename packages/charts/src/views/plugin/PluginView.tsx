import { useMemo } from 'react'
import { chartEntry } from '../../registry.ts'
import type { ViewProps } from '../view.ts'
import { buildPluginInput } from './plugin-input.ts'
import { PluginFrame } from './PluginFrame.tsx'

/** Draws the chart of a plugin in a frame of its own. */
export default function PluginView({ frames, form, label, around: { theme } }: ViewProps) {
  const plugin = chartEntry(String(form['viz_type']))?.plugin
  const input = useMemo(
    () => plugin && buildPluginInput(frames, form, { plugin, theme }),
    [frames, form, plugin, theme],
  )
  // A new module starts in a new frame.
  return plugin && input && <PluginFrame key={plugin.bundle_url} plugin={plugin} input={input} title={label} />
}
