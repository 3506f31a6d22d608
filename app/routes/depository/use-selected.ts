import { useLocation } from '@remix-run/react'
import { type FormEvent, useEffect, useState } from 'react'
import { useLive } from '~/components/use-live'

/** The number of ticked boxes of a form: `first` until one changes; undefined where no script can count them. */
export function useSelected(first: number) {
	const { search } = useLocation()
	const isLive = useLive()
	const [now, setNow] = useState<number>()
	// A link may tick others.
	useEffect(() => setNow(undefined), [search])
	const onInput = ({ currentTarget }: FormEvent<HTMLFormElement>) => setNow(currentTarget.querySelectorAll('[name=isin]:checked').length)
	return { selected: isLive ? (now ?? first) : undefined, onInput }
}
