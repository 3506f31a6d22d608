/** Line drawings, 18 px, in the colour of their text. Decoration beside a word, never the only name of a thing. */
const PATHS = {
	menu: 'M3 5h12M3 9h12M3 13h12',
	close: 'm4.5 4.5 9 9m0-9-9 9',
	light:
		'M9 1.5v1.8m0 11.4v1.8M1.5 9h1.8m11.4 0h1.8M3.7 3.7 5 5m8 8 1.3 1.3m0-10.6L13 5m-8 8-1.3 1.3M12.2 9a3.2 3.2 0 1 1-6.4 0 3.2 3.2 0 0 1 6.4 0Z',
	dark: 'M15.4 10.7A6.6 6.6 0 0 1 7.3 2.6a6.6 6.6 0 1 0 8.1 8.1Z',
	system: 'M2.5 3.2h13v8.6h-13zM6 15.2h6m-3-3.4v3.4',
	refresh: 'M15 9a6 6 0 1 1-1.6-4.1M15 2.2v3.2h-3.2',
	home: 'M2.8 8 9 2.8 15.2 8v7.2h-4.4v-4.4H7.2v4.4H2.8z',
	person: 'M12 5.6a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM3 15.6c.5-3 3-4.6 6-4.6s5.5 1.6 6 4.6',
	rupee: 'M5 3h8M5 6.2h8M5 3h2.6c4.3 0 4.3 6.4 0 6.4H5l5.6 5.8',
	report: 'M4 1.8h6.8L14 5v11.2H4zM6.6 8h4.8m-4.8 2.8h4.8m-4.8 2.8h3',
	vault: 'M2.5 3h13v11h-13zM4.5 14v1.5m9-1.5v1.5M11.2 8.5a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0Z',
	rise: 'M2.5 13.5 7 9l3 2.8 5.5-6.3m-4 0h4v4',
	layers: 'm9 2.2 6.8 3.5L9 9.2 2.2 5.7zM2.2 9 9 12.5 15.8 9M2.2 12.3 9 15.8l6.8-3.5',
	down: 'M9 2.5v9m-3.8-3.7L9 11.6l3.8-3.8M3 15.2h12',
	alert: 'M9 5.5v4m0 2.6v.1M16 9A7 7 0 1 1 2 9a7 7 0 0 1 14 0Z',
	info: 'M9 8.5v4m0-6.6v-.1M16 9A7 7 0 1 1 2 9a7 7 0 0 1 14 0Z',
	clock: 'M9 5v4l2.8 1.8M16 9A7 7 0 1 1 2 9a7 7 0 0 1 14 0Z',
	failed: 'm6.6 6.6 4.8 4.8m0-4.8-4.8 4.8M16 9A7 7 0 1 1 2 9a7 7 0 0 1 14 0Z',
	over: 'M6 9h6m4 0A7 7 0 1 1 2 9a7 7 0 0 1 14 0Z',
	done: 'm5.8 9.2 2.2 2.3 4.2-4.8M16 9A7 7 0 1 1 2 9a7 7 0 0 1 14 0Z',
	calendar: 'M2.5 4h13v11.5h-13zM2.5 7.6h13M6 2.2V5m6-2.8V5',
	width: 'M2.5 3.2h13v11.6h-13zM7 3.2v11.6',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, className }: { name: IconName; className?: string }) {
	return (
		<svg
			className={`flex-none fill-none stroke-current ${className ?? ''}`}
			width="18"
			height="18"
			viewBox="0 0 18 18"
			strokeWidth="1.5"
			strokeLinecap="round"
			strokeLinejoin="round"
			aria-hidden="true"
		>
			<path d={PATHS[name]} />
		</svg>
	)
}
