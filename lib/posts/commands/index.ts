import 'server-only';
export { editPost } from './edit';
export { type PostSubmission, publishPost, publishPosts } from './publish';
