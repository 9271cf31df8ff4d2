import type { ControlProps } from '../kind.ts'
import { NamesControl } from '../NamesControl.tsx'
import kind from './kind.ts'

export default function TimeGrainControl(props: ControlProps) {
  return <NamesControl {...props} kind={kind} ask="timegrains" />
}
