import type { ChannelName, Choice } from '@/lib/notifications/schema';
import { Table } from '../ui/table';
import styles from './notification-choices.module.scss';
import { channelTitles, topicTitles } from './notification-words';

type NotificationChoicesProps = {
  caption: string;
  name: string;
  choices: readonly Choice[];
  ways: readonly ChannelName[];
  onChange: (choice: Pick<Choice, 'topic' | 'channel' | 'wanted'>) => void;
};

/** Spec §2.6, portfolio notification options: a box for each kind of news and each way by which it can come. */
export function NotificationChoices({ caption, name, choices, ways, onChange }: NotificationChoicesProps) {
  const topics = [...new Set(choices.map(({ topic }) => topic))];
  return (
    <Table caption={caption}>
      <thead>
        <tr>
          <th scope="col">Notify me about</th>
          {ways.map((channel) => (
            <th key={channel} scope="col">
              {channelTitles[channel]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {topics.map((topic) => (
          <tr key={topic}>
            <th scope="row">{topicTitles[topic]}</th>
            {ways.map((channel) => {
              const choice = choices.find((each) => each.topic === topic && each.channel === channel);
              return (
                <td key={channel}>
                  <input
                    type="checkbox"
                    className={styles.choice}
                    name={`${name}-${topic}-${channel}`}
                    aria-label={`${topicTitles[topic]}, ${channelTitles[channel]}`}
                    checked={choice?.wanted ?? false}
                    disabled={choice?.locked ?? true}
                    onChange={({ target: { checked } }) => onChange({ topic, channel, wanted: checked })}
                  />
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
