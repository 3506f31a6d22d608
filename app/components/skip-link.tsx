/** The first stop of the Tab key; seen while it has the focus. */
export function SkipLink() {
	return (
		<a
			className="sr-only bg-base-100 rounded [box-shadow:var(--shadow)] focus:not-sr-only focus:absolute! focus:top-2 focus:left-2 focus:z-toast focus:px-4! focus:py-2!"
			href="#main"
		>
			Skip to main content
		</a>
	)
}
