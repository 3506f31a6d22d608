import { type ReactNode } from 'react'
import { Empty } from '~/components/empty'
import { Failed, type FailureNotice } from '~/components/failed'
import { Section } from '~/components/section'

type Props = {
	title: string
	what?: string
	failure?: FailureNotice
	empty: string
	action?: { href: string; label: string }
	children?: ReactNode
}

/** A section of figures of the year: its content, or why it is empty. */
export function Part({ title, what = title, failure, empty, action, children }: Props) {
	return (
		<Section title={title}>
			{failure ? <Failed what={what} failure={failure} /> : (children ?? <Empty text={empty} action={action} />)}
		</Section>
	)
}
