import { isMultiple } from '../../mask.ts'
import type { ControlProps } from '../kind.ts'
import { NamesControl } from '../NamesControl.tsx'
import kind from './kind.ts'

export default function GroupByControl(props: ControlProps) {
  return <NamesControl {...props} kind={kind} ask="columns" several={isMultiple(props.filter)} />
}
