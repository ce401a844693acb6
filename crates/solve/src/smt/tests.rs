//! What is sent, and what is made of answers.
